#!/usr/bin/env bash
# Browser libraries of other people for the end-to-end tests, by the hashes of their lock. Without npm or without a
# registry the tests that use them are skipped, and everything else runs.
set -euo pipefail
cd tests-e2e/browser_libraries
installed=node_modules/.package-lock.json
[ -f "$installed" ] && [ ! package-lock.json -nt "$installed" ] && exit 0
command -v npm >/dev/null || { echo "The tests with oidc-client are left out: there is no npm." >&2; exit 0; }
echo "installing browser libraries …"
npm ci --silent || { rm -rf node_modules; echo "The tests with oidc-client are left out: npm ci failed." >&2; }
