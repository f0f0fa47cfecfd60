#!/usr/bin/env bash
# The tests run on older stores as well, and over TLS on Valkey and on Redis: the Valkey of the lock file is built without TLS. Both are
# Debian's, installed when they are missing and we are root; Debian 12 has Valkey among its backports. Without them those tests fail
# and name this; the product itself does not need them.
set -euo pipefail

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin # and no virtual environment, which has the servers of the lock file

found() {
    command -v "${PORTICO_STACK_VALKEY_SERVER:-valkey-server}" >/dev/null && command -v "${PORTICO_STACK_REDIS_TLS_SERVER:-redis-server}" >/dev/null
}

found && exit 0
failed="apt-get installed none"
if [ "$(id -u)" != 0 ]; then
    failed="only root may"
elif ! command -v apt-get >/dev/null; then
    failed="there is no apt-get"
else
    echo "installing Valkey and Redis …"
    # The packages would start services of the system, now and at every boot; the tests start their own processes.
    policy=/usr/sbin/policy-rc.d
    more=$(mktemp)
    if [ -e "$policy" ]; then
        trap 'rm -f "$more"' EXIT
    else
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
        trap 'rm -f "$more" "$policy"' EXIT
    fi
    options=()
    apt-get update -qq || true
    if ! apt-cache show valkey-server >/dev/null 2>&1; then
        # The archive this machine has its Debian from, for these two commands only.
        name=$(. /etc/os-release && echo "$VERSION_CODENAME")
        archive=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $name" | head -n 1)
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $name-backports main" >"$more"
        chmod 644 "$more"
        options=(-o "Dir::Etc::SourceList=$more")
        apt-get "${options[@]}" update -qq || true
    fi
    DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y -qq valkey-server redis-server >/dev/null || true
    if command -v systemctl >/dev/null; then systemctl disable valkey-server redis-server >/dev/null 2>&1 || true; fi
fi
if found; then
    echo "Valkey and Redis are installed; no service of the system was started."
else
    echo "Valkey and Redis were not both installed ($failed). The tests on Valkey and over TLS fail: install the packages" \
        "'valkey-server' and 'redis-server', or name the programs with PORTICO_STACK_VALKEY_SERVER=/path/to/valkey-server and" \
        "PORTICO_STACK_REDIS_TLS_SERVER=/path/to/redis-server." >&2
fi
