#!/usr/bin/env bash
# Creates the environment from requirements.lock: uv itself first, by its hash, then all the rest with uv.
set -euo pipefail
python=$1 venv=$2
# The versions are those of pyproject.toml; a Python that is too old cannot read it.
read -r oldest beyond < <(sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"$/\1 \2/p' pyproject.toml)
if ! "$python" -c "import sys; sys.exit(not (3, $oldest) <= sys.version_info[:2] < (3, $beyond))"; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "Portico runs on Python 3.$oldest to 3.$((beyond - 1)), and $python is Python $version. Name another one: make install PYTHON=python3.$((beyond - 2))" >&2
    exit 1
fi
[ -x "$venv/bin/python" ] || "$python" -m venv --without-pip "$venv"
if ! "$venv/bin/uv" --version >/dev/null 2>&1; then
    echo "installing uv …"
    bootstrap=$(mktemp)
    trap 'rm -f "$bootstrap"' EXIT
    sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$bootstrap"
    # A pip in the environment takes five seconds; it is needed where Python has none, or an old one.
    pip=("$python" -m pip --python "$venv/bin/python")
    "${pip[@]}" --version >/dev/null 2>&1 || { "$venv/bin/python" -m ensurepip >/dev/null; pip=("$venv/bin/python" -m pip); }
    "${pip[@]}" install --quiet --disable-pip-version-check --require-hashes -r "$bootstrap"
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
