#!/usr/bin/env bash
# PrairieLearn runs this for every submission.
set -u
root="${GRADE_ROOT:-/grade}"
mkdir -p "$root/results"
plyscope="$(command -v plyscope || true)"
if [ -z "$plyscope" ]; then # the image does not have it: install it for this run
    python3 -m venv "$root/plyscope" && "$root/plyscope/bin/pip" install --quiet --no-cache-dir "$root"/tests/plyscope-*.whl
    plyscope="$root/plyscope/bin/plyscope"
fi
shopt -s nullglob
programs=("$root"/student/*.py)
target="$root/student"
if [ "${#programs[@]}" -eq 1 ]; then
    target="${programs[0]}"
fi
"$plyscope" check "$target" --format prairielearn --rubric "$root/tests/rubric.toml" -o "$root/results/results.json"
code=$?
if [ ! -s "$root/results/results.json" ]; then
    echo '{"gradable": false, "format_errors": ["Plyscope wrote no results: please tell your instructor."]}' >"$root/results/results.json"
    echo "Plyscope wrote no results (exit code $code)." >&2
fi
