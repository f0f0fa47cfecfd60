#!/usr/bin/env bash
# Creates the environment from requirements.lock: uv itself first, by its hash, then all the rest with uv.
set -euo pipefail
python=$1 venv=$2
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Portico needs Python 3.11 or newer: make PYTHON=…" >&2; exit 1; }
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
if ! "$venv/bin/uv" --version >/dev/null 2>&1; then
    echo "installing uv …"
    bootstrap=$(mktemp)
    trap 'rm -f "$bootstrap"' EXIT
    sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$bootstrap"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$bootstrap"
fi
echo "installing packages …"
"$venv/bin/uv" pip sync --quiet --python "$venv/bin/python" --require-hashes requirements.lock
folders=(libs/* services/* tools/* apps/* testing/* tests-e2e/scenarios)
members=() packages=()
for project in "${folders[@]/%//pyproject.toml}"; do
    [ -f "$project" ] || continue
    members+=(-e "${project%/pyproject.toml}") packages+=("${project%/pyproject.toml}"/portico_*)
done
"$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps --offline "${members[@]}"
# Several services start at once, and each would compile what they share.
"$venv/bin/python" -m compileall -q "${packages[@]}"
