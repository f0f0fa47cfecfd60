"""A real LDAP server for tests: OpenLDAP's slapd on loopback with TLS, users and a search account."""

from __future__ import annotations

import base64
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Process, Program

from portico_harness.certificates import Files, write_certificate
from portico_harness.loop_thread import LoopThread

BASE_DN: Final = "dc=example,dc=org"
PEOPLE_DN: Final = f"ou=people,{BASE_DN}"
ELSEWHERE_DN: Final = f"ou=elsewhere,{BASE_DN}"
"""A subtree that the server refers to another server, where none listens."""

SEARCH_DN: Final = f"cn=portico,{BASE_DN}"
POLICY_DN: Final = f"cn=policy,{BASE_DN}"
"""A password policy for entries that name it: ``pwdReset`` requires another password."""

HOST: Final = "localhost"

_SBIN: Final = ("/usr/sbin", "/usr/local/sbin", "/usr/local/libexec")
_SCHEMAS: Final = ("core", "cosine", "inetorgperson")
_GUID: Final = (
    "attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID'"
    " EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )"
)
_VERIFIED: Final = (
    "attributetype ( 1.3.6.1.4.1.32473.1.1 NAME 'mailVerified'"
    " EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )"
)

Value = str | bytes
Values = dict[str, Value | Sequence[Value]]


@dataclass(frozen=True)
class RunningLdapServer:
    """A running slapd.

    Attributes:
        tls_port: LDAPS; ``port`` uses StartTLS.
        password: of `SEARCH_DN`.
    """

    tls_port: int
    port: int
    authority: str
    password: str = field(repr=False)
    _data: Path = field(repr=False)

    @property
    def ldaps(self) -> str:
        return f"ldaps://{HOST}:{self.tls_port}"

    @property
    def ldap(self) -> str:
        return f"ldap://{HOST}:{self.port}"

    @property
    def allowed(self) -> str:
        """Returns both addresses for ``PORTICO_OUTBOUND_ALLOW``."""
        return f"{HOST}:{self.tls_port},{HOST}:{self.port}"

    def add(self, rdn: str, **attributes: Value | Sequence[Value]) -> str:
        """Adds a user below `PEOPLE_DN`; returns the DN.

        Args:
            rdn: such as ``cn=Ada``, without characters that need escaping.
        """
        dn = f"{rdn},{PEOPLE_DN}"
        kind, _, value = rdn.partition("=")
        given: Values = {"sn": "-", "cn": "-", kind: value, **attributes}
        lines = [f"dn: {dn}", "objectClass: inetOrgPerson", "objectClass: extensibleObject", *ldif_lines(given)]
        root = ("-x", "-H", self.ldap, "-D", f"cn=root,{BASE_DN}", "-y", str(self._data / "root-password"))
        subprocess.run([_program("ldapadd"), *root], input="\n".join(lines).encode(), check=True, capture_output=True)
        return dn


@contextmanager
def running_ldap_server(data: Path) -> Iterator[RunningLdapServer]:
    """Runs slapd until the block ends.

    Raises:
        FileNotFoundError: slapd is not installed; the message names the package.
    """
    data.mkdir(parents=True, exist_ok=True)
    files = write_certificate(data, HOST)
    tls_port, port, root, search = free_port(), free_port(), secrets.token_hex(16), secrets.token_hex(16)
    write_private(data / "root-password", root)
    _configure(data, files, root)
    _load(data, search)
    addresses = f"ldaps://{HOST}:{tls_port}/ ldap://{HOST}:{port}/"

    async def answers() -> None:
        socket.create_connection((HOST, tls_port), 1).close()

    argv = (_program("slapd"), "-f", str(data / "slapd.conf"), "-h", addresses, "-d", "0")
    loop = LoopThread()
    try:
        process = Process(Program("slapd", argv, answers), data / "logs", print)
        loop.run(process.start())
        try:
            yield RunningLdapServer(tls_port, port, files.authority.read_text(), search, data)
        finally:
            loop.run(process.stop(5))
    finally:
        loop.close()


def _program(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), *_SBIN)))
    if found is None:
        raise FileNotFoundError(
            f"{name} is not installed: run `make tools`, or install the packages slapd and ldap-utils."
        )
    return found


def _configure(data: Path, files: Files, root: str) -> None:
    (data / "db").mkdir(exist_ok=True)
    schemas = next((at for at in ("/etc/ldap/schema", "/etc/openldap/schema") if Path(at).is_dir()), "")
    modules = next(
        (at for at in ("/usr/lib/ldap", "/usr/lib64/openldap", "/usr/lib/openldap") if Path(at).is_dir()), ""
    )
    lines = [
        *(f"include {schemas}/{name}.schema" for name in _SCHEMAS),
        *(_GUID, _VERIFIED),
        *(f"modulepath {modules}", "moduleload back_mdb", "moduleload ppolicy"),
        *(f"pidfile {data}/slapd.pid", f"argsfile {data}/slapd.args"),
        f"TLSCertificateFile {files.certificate}",
        f"TLSCertificateKeyFile {files.key}",
        "database mdb",
        f'suffix "{BASE_DN}"',
        f'rootdn "cn=root,{BASE_DN}"',
        f"rootpw {root}",
        *(f"directory {data}/db", "overlay ppolicy"),
        "access to attrs=userPassword by anonymous auth by * none",
        f'access to * by dn.exact="{SEARCH_DN}" read by * none',
    ]
    write_private(data / "slapd.conf", "\n".join(lines) + "\n")


def _load(data: Path, search: str) -> None:
    organization, _, _ = BASE_DN.removeprefix("dc=").partition(",")
    entries = (
        (BASE_DN, {"objectClass": "domain", "dc": organization}),
        (PEOPLE_DN, {"objectClass": "organizationalUnit", "ou": "people"}),
        (SEARCH_DN, {"objectClass": "organizationalRole", "cn": "portico"}),
    )
    written = ["\n".join((f"dn: {dn}", *ldif_lines(dict(values)))) for dn, values in entries]
    written[2] += f"\nobjectClass: simpleSecurityObject\nuserPassword: {search}"
    written.append(
        f"dn: {POLICY_DN}\nobjectClass: organizationalRole\nobjectClass: pwdPolicy\ncn: policy\n"
        "pwdAttribute: userPassword\npwdMustChange: TRUE"
    )
    written.append(
        f"dn: {ELSEWHERE_DN}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\n"
        f"ref: ldap://127.0.0.1:1/{ELSEWHERE_DN}"
    )
    argv = [_program("slapadd"), "-f", str(data / "slapd.conf")]
    subprocess.run(argv, input="\n\n".join(written).encode(), check=True, capture_output=True)


def ldif_lines(values: Values) -> Iterable[str]:
    """Yields LDIF lines (RFC 2849), all values in base64."""
    for name, given in values.items():
        for value in (given,) if isinstance(given, str | bytes) else given:
            octets = value if isinstance(value, bytes) else value.encode()
            yield f"{name}:: {base64.b64encode(octets).decode()}"
