#!/usr/bin/env bash
# Expected: two password hashes that are both called bcrypt_sha256, by two libraries of the same language, differ in
#   their writing only, so that an import can rewrite one into the other.
# Instead: passlib feeds bcrypt the base64 of HMAC-SHA-256 keyed with the bcrypt salt, Django feeds it the hexadecimal
#   SHA-256. Both hashes below have the same salt and cost for the same password, and their digests differ; none of the
#   two can be rewritten into the other without the password.
# Versions: passlib 1.7.4, Django 5.2.19, bcrypt 4.0.1, Python 3.11. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check passlib==1.7.4 django==5.2.19 bcrypt==4.0.1
"$folder/env/bin/python" - <<'PYTHON' | tee "$folder/seen"
from django.conf import settings

settings.configure()
from django.contrib.auth.hashers import BCryptSHA256PasswordHasher
from passlib.hash import bcrypt_sha256

SALT = "abcdefghijklmnopqrstuu"
PASSWORD = "correct horse"
passlibs = bcrypt_sha256.using(rounds=4, salt=SALT).hash(PASSWORD)
djangos = BCryptSHA256PasswordHasher().encode(PASSWORD, f"$2b$04${SALT}".encode())
print("passlib:", passlibs)
print("Django: ", djangos)
digest = passlibs.rpartition("$")[2]
rewritten = f"bcrypt_sha256$$2b$04${SALT}{digest}"
print("the same digest:", djangos.endswith(digest))
print("Django accepts its own:", BCryptSHA256PasswordHasher().verify(PASSWORD, djangos))
print("Django accepts passlib's, rewritten:", BCryptSHA256PasswordHasher().verify(PASSWORD, rewritten))
PYTHON
tail -3 "$folder/seen" | diff - <(printf '%s\n' "the same digest: False" "Django accepts its own: True" "Django accepts passlib's, rewritten: False")
