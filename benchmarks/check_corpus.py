"""Check a list of programs as a student would, and count how often the verdict is right.

    python benchmarks/check_corpus.py LIST.json [--jobs 2] [--only 3,17] [-o RESULTS.json]

LIST.json is a list of objects:

    path      the file or folder that is checked, relative to LIST.json
    truth     "right", "wrong" or "wasteful", found by reading and experiment; anything else is left out of the rates
    real      names of findings that are true of this program; a certain finding beyond them is false
    id        optional, shown in the tables
    options   optional, more arguments for `plyscope check`

Each program is checked in its own folder, without help. A second run uses the command that a failed check prints.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 150  # for one check; the promise is 60
REMARKS = {"slow-win"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    programs = json.loads(asked.list.read_text())
    if asked.only:
        programs = [program for program in programs if str(program.get("id")) in asked.only.split(",")]
    with ThreadPoolExecutor(asked.jobs) as pool:
        results = list(pool.map(lambda program: check_program(program, asked.list.parent), programs))
    for program, result in zip(programs, results, strict=True):
        print(describe_result(program, result))
    print_table(programs, results)
    if asked.output:
        asked.output.write_text(json.dumps(results, indent=1))


def check_program(program, folder):
    """Return the answer of `plyscope check`, the seconds it took, and the answer with the command that it printed."""
    path = (folder / program["path"]).resolve()
    where = path if path.is_dir() else path.parent
    result = {"id": program.get("id"), **run_check([str(path.relative_to(where)), *program.get("options", [])], where)}
    hint = result["answer"].get("try")
    if not is_recorded(result["answer"]) and hint:
        result["with_hint"] = run_check(shlex.split(hint)[2:], where)["answer"]
    return result


def run_check(arguments, where):
    start = time.monotonic()
    command = [sys.executable, "-m", "plyscope", "check", *arguments, "--json"]
    try:
        done = subprocess.run(
            command, check=False, cwd=where, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL
        )
        answer = json.loads(done.stdout) if done.stdout.strip() else {"verdict": "not run", "reason": done.stderr.strip()}
    except subprocess.TimeoutExpired:
        answer = {"verdict": "not run", "reason": f"no answer within {SECONDS} s"}
    return {"answer": answer[0] if isinstance(answer, list) else answer, "seconds": round(time.monotonic() - start, 1)}


def is_recorded(answer):
    return answer.get("rows", 0) > 1


def findings(answer, certain):
    return {one["name"] for one in answer.get("findings", []) if one["certain"] >= certain} - REMARKS


def false_certain(program, answer):
    return sorted(findings(answer, True) - set(program.get("real", [])))


def describe_result(program, result):
    answer = result["answer"]
    wrong = ", ".join(false_certain(program, answer))
    found = ", ".join(sorted(findings(answer, False))) or answer.get("reason", "").split("\n")[0][:90]
    note = f"  FALSE: {wrong}" if wrong else ""
    verdict = f"{program['truth']:9} {answer['verdict']:20} {answer.get('rows', 0):7,} calls {result['seconds']:5.1f} s"
    return f"{program.get('id')!s:>5} {verdict}  {found}{note}"


def print_table(programs, results):
    answers = [result["answer"] for result in results]
    recorded = [(program, answer) for program, answer in zip(programs, answers, strict=True) if is_recorded(answer)]
    right = [answer for program, answer in recorded if program["truth"] == "right"]
    wrong = [(program, answer) for program, answer in recorded if program["truth"] == "wrong"]
    named = [program for program, answer in wrong if findings(answer, False) & set(program.get("real", []))]
    acquitted = [program for program, answer in wrong if answer["verdict"] in ("right", "nothing wrong found")]
    with_hint = sum(is_recorded(result.get("with_hint", result["answer"])) for result in results)
    seconds = [result["seconds"] for result in results]
    rows = [
        ("recorded without help", len(recorded), len(programs)),
        ("recorded with the command that is printed", with_hint, len(programs)),
        ("programs with a false certain finding", sum(bool(false_certain(*pair)) for pair in recorded), len(recorded)),
        ("right programs: nothing wrong found", sum(a["verdict"] in ("right", "nothing wrong found") for a in right), len(right)),
        ("wrong programs: real bug named", len(named), len(wrong)),
        ("wrong programs: acquitted", len(acquitted), len(wrong)),
    ]
    print("\n| | programs | of | share |\n|---|--:|--:|--:|")
    for name, number, total in rows:
        print(f"| {name} | {number} | {total} | {number / total if total else 0:.0%} |")
    print(f"\nseconds: median {statistics.median(seconds):.1f}, most {max(seconds):.1f}")


if __name__ == "__main__":
    main()
