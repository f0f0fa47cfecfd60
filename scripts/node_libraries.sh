#!/usr/bin/env bash
# Libraries of other people for the tests, from npm, by the hashes of their locks.
set -euo pipefail
for folder in tests-e2e/browser_libraries tests-e2e/api_libraries tests-e2e/clients/node tests-e2e/clients/further tests-e2e/clients/provider; do
  (
    cd "$folder"
    # By content: git gives a file of a new checkout the time of the checkout.
    installed=node_modules/.installed-lock.json
    cmp -s package-lock.json "$installed" && exit 0
    command -v npm >/dev/null || { echo "The tests with other people's libraries need npm: install Node.js." >&2; exit 1; }
    echo "installing the libraries of $folder …"
    # npm would empty the folder behind a link, which belongs to another checkout.
    [ ! -L node_modules ] || rm node_modules
    npm ci --silent --prefer-offline --no-audit --no-fund || { rm -rf node_modules; echo "Tests need the libraries of $folder: npm ci failed." >&2; exit 1; }
    cp package-lock.json "$installed"
  )
done
