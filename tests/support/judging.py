"""Judge a recorded search as `plyscope check` does it: beside the program, and again from what was noted there."""

import time
from dataclasses import replace

import msgspec

from engine.checker.diagnosis.judge import judge_search
from engine.checker.recording.observations import Noting, Observation, Reading, observing
from engine.checker.recording.record_transfer import PackedRecord, pack_record, unpack_record

MAX_SECONDS = 60.0


def judge_twice(program, stopped):
    """The judgement, which has to be the same in both runs."""
    record = msgspec.msgpack.encode(pack_record(program.calls))
    noting = Noting()
    with observing(noting):
        judgement = judge_search(program, stopped)
    noted = msgspec.msgpack.decode(msgspec.msgpack.encode(noting.noted), type=list[Observation])
    reading = Reading(noted, time.monotonic() + MAX_SECONDS)
    calls = unpack_record(msgspec.msgpack.decode(record, type=PackedRecord))
    with observing(reading):
        again = judge_search(replace(program, calls=calls), stopped)
    assert again == judgement
    assert not reading.left
    return judgement
