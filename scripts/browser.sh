#!/usr/bin/env bash
# The browser tests drive Debian's Chromium, without a window where that package exists; it is installed when it is missing
# and we are root.
set -euo pipefail
command -v chromium-headless-shell >/dev/null && command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium …"
    apt-get update -qq
    command -v chromium >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
    # Ubuntu has no such package.
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 || true
elif ! command -v chromium >/dev/null; then
    echo "The browser tests need Chromium: install the package 'chromium'." >&2
    exit 1
fi
