#!/usr/bin/env bash
# Expected: HAProxy's `timeout http-keep-alive` is how long an idle connection of a client stays open, in HTTP/1 and in
#   HTTP/2, while `timeout client` is about clients that are slow in the middle of a request or of a response.
# Instead: in HTTP/1 the shorter one of the two counts. With a longer keep-alive the same connection ends at
#   `timeout client` if it speaks HTTP/1, and at the keep-alive if it speaks HTTP/2, whose client is told so (GOAWAY).
#   Who raises only the keep-alive above that of the load balancer in front sees its requests lost as before.
# Versions: HAProxy of the distribution (the version is printed; 2.6.12 of Debian 12), h2 4.3.0. Seen on 2026-12-01.
set -euo pipefail
PATH=$PATH:/usr/sbin
command -v haproxy >/dev/null || { echo "HAProxy is not installed (package haproxy)." >&2; exit 2; }
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet h2==4.3.0
cat >gateway.cfg <<'CFG'
defaults
    mode http
    timeout connect 1s
    timeout client 2s
    timeout server 2s
    timeout http-keep-alive 6s
frontend one
    bind 127.0.0.1:27981
    http-request return status 200 content-type text/plain string ok
frontend two
    bind 127.0.0.1:27982 proto h2
    http-request return status 200 content-type text/plain string ok
CFG
haproxy -D -p pid -f gateway.cfg
cat >idle.py <<'PY'
import socket
import time

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, StreamEnded


def described(began):
    return "timeout client" if time.monotonic() - began < 4 else "timeout http-keep-alive"


def http_1():
    with socket.create_connection(("127.0.0.1", 27981)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: id.example.com\r\n\r\n")
        assert client.recv(65_536).endswith(b"ok")
        began = time.monotonic()
        while client.recv(65_536):
            pass
        return described(began)


def http_2():
    talk, told, began = H2Connection(H2Configuration(client_side=True)), "", 0.0
    with socket.create_connection(("127.0.0.1", 27982)) as client:
        talk.initiate_connection()
        head = {":method": "GET", ":path": "/", ":authority": "id.example.com", ":scheme": "http"}
        talk.send_headers(1, list(head.items()), end_stream=True)
        client.sendall(talk.data_to_send())
        while received := client.recv(65_536):
            for event in talk.receive_data(received):
                if isinstance(event, StreamEnded):
                    began = time.monotonic()
                elif isinstance(event, ConnectionTerminated):
                    told = ", with GOAWAY"
            client.sendall(talk.data_to_send())
        return described(began) + told


print("HTTP/1 ends at", http_1())
print("HTTP/2 ends at", http_2())
PY
{ haproxy -v | sed -n '1s/^HAProxy version \([0-9]*\.[0-9]*\).*/HAProxy \1/p' && env/bin/python idle.py; } | tee seen
diff seen - <<'SEEN'
HAProxy 2.6
HTTP/1 ends at timeout client
HTTP/2 ends at timeout http-keep-alive, with GOAWAY
SEEN
