#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the assignment: it installs Plyscope.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"

find_python() {
    for name in python3.13 python3.12 python3.11 python3; do
        if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! python="$(find_python)"; then
    apt-get update
    apt-get install -y python3.12 python3.12-venv || apt-get install -y python3.11 python3.11-venv
    python="$(find_python)"
fi
"$python" -m venv "$root/plyscope"
"$root/plyscope/bin/pip" install --no-cache-dir "$root"/source/plyscope-*.whl
