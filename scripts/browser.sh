#!/usr/bin/env bash
# The browser tests drive Debian's Chromium; it is installed when it is missing and we are root.
set -euo pipefail
command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium …"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
else
    echo "The browser tests need Chromium: install the package 'chromium'." >&2
    exit 1
fi
