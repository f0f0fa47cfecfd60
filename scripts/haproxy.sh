#!/usr/bin/env bash
# The tests run the gateway on HAProxy and on Caddy; HAProxy is Debian's, installed when it is missing and we are root.
# Without it everything but its own tests runs on Caddy, so that is no failure here.
set -euo pipefail
PATH="$PATH:/usr/local/sbin:/usr/sbin"
least=2.6

found() { "${PORTICO_STACK_HAPROXY:-haproxy}" -v 2>/dev/null | sed -nE 's/^HA-?Proxy version ([0-9]+\.[0-9]+(\.[0-9]+)?).*/\1/p'; }
fits() { [ -n "$1" ] && [ "$(printf '%s\n' "$least" "$1" | sort -V | head -n 1)" = "$least" ]; }

version=$(found || true)
fits "$version" && exit 0
if [ "$(id -u)" != 0 ]; then
    failed="only root may"
elif ! command -v apt-get >/dev/null; then
    failed="there is no apt-get"
else
    echo "installing HAProxy …"
    # The package would start a service of the system, now and at every boot; the stack starts its own process.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
        trap 'rm -f "$policy"' EXIT
    fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq haproxy >/dev/null || true
    # One that was there before, too old for us, is not ours to disable.
    if [ -z "$version" ] && command -v systemctl >/dev/null; then systemctl disable haproxy >/dev/null 2>&1 || true; fi
    version=$(found || true)
    failed="apt-get installed none"
fi
if fits "$version"; then
    echo "HAProxy $version is installed; no service of the system was started."
else
    echo "HAProxy $least or newer was not installed ($failed; found: ${version:-none}). The gateway is Caddy, and the tests of" \
        "HAProxy fail: install the package 'haproxy', or name one with PORTICO_STACK_HAPROXY=/path/to/haproxy." >&2
fi
