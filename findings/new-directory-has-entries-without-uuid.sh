#!/usr/bin/env bash
# Expected: a server with the entryUUID plugin gives every entry an entryUUID (RFC 4530: when the entry is added).
# Instead: the entries that dscreate of 389 Directory Server adds itself, the suffix and the sample user among them, have
#   none: the plugin is configured during the first start and works from the second one. Entries added later have one,
#   and the start does not add it to the others. nsUniqueId is there in all of them.
# Versions: 389-ds-base of the distribution (the version is printed; 2.3.1 of Debian 12). Seen on 2026-11-29.
set -euo pipefail
PATH=$PATH:/usr/sbin
for program in dscreate ldapadd; do
    command -v "$program" >/dev/null || { echo "$program is not installed (packages 389-ds-base, ldap-utils)." >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/run/dirsrv/slapd-new.pid" 2>/dev/null)" 2>/dev/null || true; sleep 3; rm -rf "$folder"' EXIT
{ ns-slapd -v 2>&1 || true; } | grep -o "389-Directory/[0-9.]*"
# Everything that the server's tools write goes below the folder.
mkdir -p "$folder/share/dirsrv/inf" "$folder/etc/default" "$folder/etc/dirsrv"
sed -E "s#= (/etc|/var|/run|/dev/shm)#= $folder\1#; s#^inst_dir = .*#inst_dir = $folder/inst#
    s/^with_systemd = .*/with_systemd = 0/; s/^user = .*/user = $(id -un)/; s/^group = .*/group = $(id -gn)/" \
    /usr/share/dirsrv/inf/defaults.inf >"$folder/share/dirsrv/inf/defaults.inf"
cp -r /etc/dirsrv/config /etc/dirsrv/schema "$folder/etc/dirsrv/"
read -r port secure_port < <(python3 -c '
import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in held))')
cat >"$folder/new.inf" <<INF
[general]
config_version = 2
full_machine_name = localhost
selinux = False
systemd = False
[slapd]
instance_name = new
port = $port
secure_port = $secure_port
root_password = secret-of-root
[backend-userroot]
suffix = dc=example,dc=com
create_suffix_entry = True
sample_entries = yes
INF
PREFIX=$folder dscreate from-file "$folder/new.inf" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
root=(-x -H "ldap://localhost:$port" -D "cn=Directory Manager" -w secret-of-root)
ldapadd "${root[@]}" >/dev/null <<LDIF
dn: uid=later,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: Later
sn: Later
LDIF
for dn in dc=example,dc=com uid={demo_user,later},ou=people,dc=example,dc=com; do
    found=$(ldapsearch "${root[@]}" -LLL -b "$dn" -s base "(objectClass=*)" entryUUID nsUniqueId |
        grep -oiE "^(entryUUID|nsUniqueId)" | sort -f | tr '[:upper:]\n' '[:lower:] ')
    echo "$dn: $found"
done | tee "$folder/seen"
diff "$folder/seen" - <<'SEEN'
dc=example,dc=com: nsuniqueid 
uid=demo_user,ou=people,dc=example,dc=com: nsuniqueid 
uid=later,ou=people,dc=example,dc=com: entryuuid nsuniqueid 
SEEN
