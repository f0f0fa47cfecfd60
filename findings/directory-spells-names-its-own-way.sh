#!/usr/bin/env bash
# Expected: a directory returns the distinguished name of a group as it was written; programs compare such names as text.
# Instead: OpenLDAP accepts "cn=R\, D" (the spelling of RFC 4514, and the one that Samba returns) and answers with
#   "cn=R\2C D", in the name of the entry and in memberOf. Both name the same entry; as text they differ.
# Versions: slapd of the distribution (the version is printed; 2.5.13 of Debian 12), ldap3 2.9.1. Seen on 2026-11-29.
set -euo pipefail
PATH=$PATH:/usr/sbin
command -v slapd >/dev/null || { echo "slapd is not installed (package slapd)." >&2; exit 2; }
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null || true; sleep 1; rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check ldap3==2.9.1
mkdir "$folder/data"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/slapd.conf" <<CONF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile $folder/pid
database mdb
suffix "dc=example,dc=com"
rootdn "cn=admin,dc=example,dc=com"
rootpw secret
directory $folder/data
overlay memberof
CONF
slapd -VV 2>&1 | grep -o "slapd [0-9.]*" | head -1
slapd -f "$folder/slapd.conf" -h "ldap://127.0.0.1:$port/"
"$folder/env/bin/python" - "$port" <<'PYTHON' | tee "$folder/seen"
import sys
import time

from ldap3 import ALL_ATTRIBUTES, Connection, Server
from ldap3.core.exceptions import LDAPException

server = Server("127.0.0.1", int(sys.argv[1]))
for _ in range(50):
    try:
        directory = Connection(server, "cn=admin,dc=example,dc=com", "secret", auto_bind=True)
        break
    except LDAPException:
        time.sleep(0.1)
BASE = "dc=example,dc=com"
written = rf"cn=R\, D,{BASE}"
directory.add(BASE, ["dcObject", "organization"], {"dc": "example", "o": "Example"})
directory.add(f"uid=ada,{BASE}", "inetOrgPerson", {"cn": "Ada", "sn": "Ada"})
directory.add(written, "groupOfNames", {"member": f"uid=ada,{BASE}"})
directory.search(BASE, "(objectClass=groupOfNames)", attributes=ALL_ATTRIBUTES)
print("written: ", written)
print("entry:   ", directory.response[0]["dn"])
directory.search(BASE, "(uid=ada)", attributes=["memberOf"])
print("memberOf:", directory.response[0]["attributes"]["memberOf"][0])
PYTHON
diff "$folder/seen" - <<'SEEN'
written:  cn=R\, D,dc=example,dc=com
entry:    cn=R\2C D,dc=example,dc=com
memberOf: cn=R\2C D,dc=example,dc=com
SEEN
