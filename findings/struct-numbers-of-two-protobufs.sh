#!/usr/bin/env bash
# Expected: the JSON of a google.protobuf.Struct is fixed by the specification of protobuf, so all official libraries
#   write the same text for the same message.
# Instead: Python writes a whole number of a Struct with a fraction (-7.0), the JavaScript library writes -7. A reader
#   that wants an integer there (the algorithms of WebAuthn options are integers, and many strictly typed libraries
#   refuse -7.0) accepts one of them only.
# Versions: protobuf 7.36.2 (Python 3.11), @bufbuild/protobuf 2.17.0 (Node.js 18 and later). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q --disable-pip-version-check protobuf==7.36.2
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @bufbuild/protobuf@2.17.0 >/dev/null
cat >write.mjs <<'JS'
import { readFileSync } from "node:fs";
import { fromBinary, toJsonString } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
console.log("JavaScript:", toJsonString(StructSchema, fromBinary(StructSchema, readFileSync("message"))));
JS
env/bin/python - <<'PYTHON' | tee seen
from pathlib import Path

from google.protobuf.json_format import MessageToJson
from google.protobuf.struct_pb2 import Struct

message = Struct()
message.update({"alg": -7})
Path("message").write_bytes(message.SerializeToString())
print("Python:", MessageToJson(message, indent=None))
PYTHON
node write.mjs | tee -a seen
diff seen - <<'SEEN'
Python: {"alg": -7.0}
JavaScript: {"alg":-7}
SEEN
