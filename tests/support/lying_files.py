"""Run by itself: reads tree files that lie, uses those that are not refused, and says what became of each.

A process of its own, so that a crash in compiled code is the end of this one and not of the tests.
"""

import json
import re
import resource
import sys
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq

from engine.tree.parquet_file import METADATA_KEY, load, make_header
from tests.support.games import Countdown
from visualizer import to_dot, to_json, to_text
from visualizer.viewer.payload import build_payload


def describe_loading(path):
    header = msgspec.json.decode(pq.read_schema(path).metadata[METADATA_KEY])
    try:
        tree = load(path, game=None if header.get("game") else Countdown())
    except ValueError as error:
        return f"refused: {error}"
    written = pq.read_table(path)
    for name, column in tree.columns._asdict().items():
        if len(column) and not np.array_equal(column, written.column(name).to_numpy()):
            return f"another {name} than written"
    now = msgspec.json.decode(msgspec.json.encode(make_header(tree)))
    if any(now[name] != header[name] for name in now if header[name] is not None):  # the position says where there is no state
        return "another header than written"
    to_text(tree), to_dot(tree), to_json(tree), build_payload(tree)
    return "as written"


def max_megabytes():
    """The largest that this process has been. On Linux, getrusage begins with what its parent was."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) >> 10


def main(folder):
    for path in sorted(Path(folder).glob("*.parquet")):
        print(json.dumps([path.name, ""]), flush=True)  # the last of these names the file of a crash
        print(json.dumps([path.name, describe_loading(path)]), flush=True)
    print(json.dumps(["megabytes", max_megabytes()]))


if __name__ == "__main__":
    main(sys.argv[1])
