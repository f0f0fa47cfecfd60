#!/usr/bin/env bash
# Browser libraries of other people for the end-to-end tests, by the hashes of their lock.
set -euo pipefail
cd tests-e2e/browser_libraries
installed=node_modules/.package-lock.json
[ -f "$installed" ] && [ ! package-lock.json -nt "$installed" ] && exit 0
command -v npm >/dev/null || { echo "The tests with oidc-client need npm: install Node.js." >&2; exit 1; }
echo "installing browser libraries …"
npm ci --silent || { rm -rf node_modules; echo "The tests with oidc-client need their libraries: npm ci failed." >&2; exit 1; }
