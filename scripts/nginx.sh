#!/usr/bin/env bash
# The tests run the nginx of docs/guides/behind-a-proxy.md in front of the gateway: Debian's, installed when it is missing and we are
# root. Without it that test fails and names this; the product itself does not need it.
set -euo pipefail
PATH="$PATH:/usr/local/sbin:/usr/sbin"

found() { command -v nginx >/dev/null; }

found && exit 0
if [ "$(id -u)" != 0 ]; then
    failed="only root may"
elif ! command -v apt-get >/dev/null; then
    failed="there is no apt-get"
else
    echo "installing nginx …"
    # The package would start a service of the system, now and at every boot; the tests start their own process.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
        trap 'rm -f "$policy"' EXIT
    fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nginx-light >/dev/null || true
    if command -v systemctl >/dev/null; then systemctl disable nginx >/dev/null 2>&1 || true; fi
    failed="apt-get installed none"
fi
if found; then
    echo "nginx is installed; no service of the system was started."
else
    echo "nginx was not installed ($failed). The test of the gateway behind it fails: install the package 'nginx-light'." >&2
fi
