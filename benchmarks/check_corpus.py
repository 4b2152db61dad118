"""Check a list of programs as a student would, and count how often the verdict is right.

    python benchmarks/check_corpus.py LIST.json [--only 3,17] [-o RESULTS.json] [--again] [--calls]

LIST.json is a list of objects:

    path      the file or folder that is checked, relative to LIST.json
    truth     "right", "wrong" or "wasteful", found by reading and experiment; anything else is left out of the rates
    real      names of findings that are true of this program; a certain finding beyond them is false
    id        optional, shown in the tables
    options   optional, more arguments for `plyscope check`
    call      optional, a call that starts the search: with `--calls` only the programs that have one are checked, with `--call`

Each program is checked in its own folder, without help. If nothing was recorded, the command that the check prints is run as
well. Every result is written to RESULTS.json at once: a run that was stopped goes on where it ended, and `--again` checks
everything anew. One program is checked at a time, so that its seconds mean something.
"""

import argparse
import json
import os
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROMISED_SECONDS = 60.0
MAX_SECONDS = 150  # for one check, so that one that hangs does not stop the run
REMARKS = {"slow-win"}
ACQUITTED = ("right", "nothing wrong found")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=Path)
    parser.add_argument("--only", default="", help="ids, with commas between them")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--again", action="store_true", help="check programs that have a result, too")
    parser.add_argument("--calls", action="store_true", help="check the programs that have a call, with this call")
    asked = parser.parse_args()
    listed = json.loads(asked.list.read_text())
    if asked.calls:
        listed = [program | {"options": ["--call", program["call"]]} for program in listed if program.get("call")]
    programs = {name_program(program): program for program in listed}
    if asked.only:
        programs = {name: program for name, program in programs.items() if name in asked.only.split(",")}
    results = json.loads(asked.output.read_text()) if asked.output is not None and asked.output.exists() else {}
    for name, program in programs.items():
        if asked.again or name not in results:
            results[name] = check_program(program, asked.list.parent)
            if asked.output is not None:
                write_results(asked.output, results)
        print(describe_result(program, results[name]), flush=True)
    print_table([(program, results[name]) for name, program in programs.items()])


def name_program(program):
    return str(program.get("id", program["path"]))


def write_results(output, results):
    """Write the results so that a stop at any moment leaves a whole file."""
    new = output.with_suffix(".new")
    new.write_text(json.dumps(results, indent=1))
    os.replace(new, output)


def check_program(program, folder):
    """Return the answer of `plyscope check`, the seconds it took, and the answer with the command that it printed."""
    path = (folder / program["path"]).resolve()
    where = path if path.is_dir() else path.parent
    checked = "." if path.is_dir() else path.name
    result = run_check([checked, *program.get("options", [])], where)
    hint = result["answer"].get("try")
    if not is_recorded(result["answer"]) and hint:
        result["with_hint"] = run_check(shlex.split(hint)[2:], where)
    return result


def run_check(arguments, where):
    start, cpu = time.monotonic(), children_cpu_seconds()
    command = [sys.executable, "-m", "plyscope", "check", *arguments, "--json"]
    process = subprocess.Popen(
        command,
        cwd=where,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=MAX_SECONDS)
        answer = json.loads(out) if out.strip() else {"verdict": "not run", "reason": errors.strip()}
    except subprocess.TimeoutExpired:
        answer = {"verdict": "not run", "reason": f"no answer within {MAX_SECONDS} s"}
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    return {
        "answer": answer[0] if isinstance(answer, list) else answer,
        "seconds": round(time.monotonic() - start, 2),
        "cpu_seconds": round(children_cpu_seconds() - cpu, 2),
    }


def children_cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- the table


def is_recorded(answer):
    return answer.get("rows", 0) > 1


def list_findings(answer, certain):
    """Return the names of the certain findings, or of all of them."""
    return {one["name"] for one in answer.get("findings", []) if one["certain"] >= certain} - REMARKS


def list_false_certain(program, answer):
    return sorted(list_findings(answer, True) - set(program.get("real", [])))


def describe_result(program, result):
    answer = result["answer"]
    wrong = ", ".join(list_false_certain(program, answer))
    certain = list_findings(answer, True)
    found = ", ".join(name if name in certain else f"{name}?" for name in sorted(list_findings(answer, False)))
    found = found or answer.get("reason", "").split("\n")[0][:110]
    note = f"  FALSE: {wrong}" if wrong else ""
    if "with_hint" in result:
        note += f"  (printed command: {result['with_hint']['answer'].get('rows', 0):,} calls)"
    verdict = f"{program['truth']:10} {answer['verdict']:20} {answer.get('rows', 0):7,} calls {result['seconds']:5.1f} s"
    return f"{name_program(program):>5} {verdict}  {found}{note}"


def print_table(checked):
    recorded = [(program, result["answer"]) for program, result in checked if is_recorded(result["answer"])]
    with_hint = sum(is_recorded(result.get("with_hint", result)["answer"]) for _, result in checked)
    false = sum(bool(list_false_certain(*pair)) for pair in recorded)
    rows = [
        ("recorded without help", len(recorded), len(checked)),
        ("recorded with the command that is printed", with_hint, len(checked)),
        ("programs with a false certain finding", false, len(recorded)),
    ]
    for truth in ("right", "wasteful", "wrong"):
        answers = [(program, answer) for program, answer in recorded if program["truth"] == truth]
        acquitted = sum(answer["verdict"] in ACQUITTED for _, answer in answers)
        rows.append((f"{truth} programs: nothing wrong found", acquitted, len(answers)))
        if truth != "right":
            certain = sum(bool(list_findings(answer, True) & set(program["real"])) for program, answer in answers)
            named = sum(bool(list_findings(answer, False) & set(program["real"])) for program, answer in answers)
            rows.append((f"{truth} programs: real fault named, certain or likely", named, len(answers)))
            rows.append((f"{truth} programs: real fault named, certain", certain, len(answers)))
    print("\n| | programs | of | share |\n|---|--:|--:|--:|")
    for name, number, total in rows:
        print(f"| {name} | {number} | {total} | {number / total if total else 0:.0%} |")
    print_seconds(checked)


def print_seconds(checked):
    """Print the seconds from the command to its answer, and the processor seconds, which another load does not change."""
    for name, key in (("seconds", "seconds"), ("processor seconds", "cpu_seconds")):
        values = [run[key] for _, result in checked for run in (result, result.get("with_hint")) if run is not None]
        print(f"\n{name}: median {statistics.median(values):.1f}, most {max(values):.1f}")
    late = [name_program(program) for program, result in checked if result["seconds"] > PROMISED_SECONDS]
    print(f"\nover {PROMISED_SECONDS:.0f} seconds: {', '.join(late) or 'none'}")


if __name__ == "__main__":
    main()
