#!/usr/bin/env bash
# The tests run the gateway on HAProxy and on Caddy; HAProxy is Debian's, installed when it is missing and we are root.
set -euo pipefail
PATH="$PATH:/usr/local/sbin:/usr/sbin"
least=2.6

found() { haproxy -v 2>/dev/null | sed -nE 's/^HA-?Proxy version ([0-9]+\.[0-9]+(\.[0-9]+)?).*/\1/p'; }
fits() { [ -n "$1" ] && [ "$(printf '%s\n' "$least" "$1" | sort -V | head -n 1)" = "$least" ]; }

fits "$(found)" && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing HAProxy …"
    # The package would start a service of the system, now and at every boot; the stack starts its own process.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
        trap 'rm -f "$policy"' EXIT
    fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq haproxy >/dev/null
    if command -v systemctl >/dev/null; then systemctl disable haproxy >/dev/null 2>&1 || true; fi
fi
if fits "$(found)"; then
    echo "HAProxy $(found) is installed; no service of the system was started."
else
    echo "The tests of the gateway need HAProxy $least or newer (found: $(found || true)): install the package 'haproxy'." >&2
    exit 1
fi
