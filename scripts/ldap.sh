#!/usr/bin/env bash
# The tests sign people in through a real directory: slapd and the tools of OpenLDAP, Debian's, installed when they are
# missing and we are root. Without them those tests fail and name this; the product itself needs neither.
set -euo pipefail
PATH="$PATH:/usr/local/sbin:/usr/sbin"

found() { command -v slapd >/dev/null && command -v slapadd >/dev/null && command -v ldapadd >/dev/null; }

found && exit 0
if [ "$(id -u)" != 0 ]; then
    failed="only root may"
elif ! command -v apt-get >/dev/null; then
    failed="there is no apt-get"
else
    echo "installing slapd …"
    # The package would start a service of the system, now and at every boot; the tests start their own process.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
        trap 'rm -f "$policy"' EXIT
    fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slapd ldap-utils >/dev/null || true
    if command -v systemctl >/dev/null; then systemctl disable slapd >/dev/null 2>&1 || true; fi
    failed="apt-get installed none"
fi
if found; then
    echo "slapd is installed; no service of the system was started."
else
    echo "slapd was not installed ($failed). The tests of sign-ins through a directory fail: install the packages 'slapd' and" \
        "'ldap-utils'." >&2
fi
