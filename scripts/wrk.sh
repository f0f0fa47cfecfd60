#!/usr/bin/env bash
# `make bench` drives with wrk, and `make test` tests that; it is installed when it is missing and we are root.
set -euo pipefail
command -v wrk >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing wrk …"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq wrk >/dev/null
else
    echo "The benchmark and its tests need wrk: install the package 'wrk'." >&2
    exit 1
fi
