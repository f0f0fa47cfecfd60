"""What tests know about 389 Directory Server and Samba: one user, in a group that is in another group."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from portico_harness.ldap_server import Values, ldif_lines

LOGIN: Final = "dora"
PASSWORD: Final = "A word of 1 directory"
OLD_LOGIN: Final = "olga"
"""Has the same password, and must choose another one before anything else."""

_SBIN: Final = ("/usr/sbin", "/usr/local/sbin")


class NotInstalled(RuntimeError):
    """The message names the package."""


class Entry(NamedTuple):
    dn: str
    values: Values


@dataclass(frozen=True, slots=True)
class RealDirectory:
    """A running directory with the certificate that it made for itself.

    Attributes:
        host: the name in the certificate; it need not resolve.
        plain_port: for StartTLS.
        authority: the certificate of its authority, PEM.
        search_dn: the search account, with `PASSWORD`.
        subject: the attribute with the permanent identifier.
        group: the DN of the user's group, spelled as the server does not.
        outer_group: the DN of the group that has this group as a member.
        lists_outer: whether the user's ``memberOf`` has the outer group too.
    """

    host: str
    address: str
    port: int
    plain_port: int
    authority: str = field(repr=False)
    base_dn: str
    search_dn: str
    user_class: str
    login_attribute: str
    subject: str
    group: str
    outer_group: str
    lists_outer: bool

    @property
    def ldaps(self) -> str:
        return f"ldaps://{self.host}:{self.port}"

    @property
    def ldap(self) -> str:
        return f"ldap://{self.host}:{self.plain_port}"

    @property
    def allowed(self) -> str:
        """Returns both addresses for ``PORTICO_OUTBOUND_ALLOW``."""
        return f"{self.host}:{self.port},{self.host}:{self.plain_port}"


def find_tool(name: str, package: str) -> str:
    """Raises `NotInstalled`."""
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), *_SBIN)))
    if found is None:
        raise NotInstalled(f"{name} is not installed: install the package {package}")
    return found


def run_tool(argv: Sequence[str], given: str = "", **environment: str) -> None:
    """Raises `RuntimeError` with the end of the output if the program fails."""
    done = subprocess.run(
        argv,
        input=given,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | environment,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{argv[0]} failed:\n{done.stdout[-2_000:]}")


def add_entries(url: str, dn: str, password: Path, entries: Iterable[Entry]) -> None:
    """Adds entries as an administrator.

    Args:
        password: the file with it, without a line break.
    """
    argv = (find_tool("ldapadd", "ldap-utils"), "-x", "-H", url, "-D", dn, "-y", str(password))
    # The certificate is what the tests try; entries are only to arrive.
    run_tool(argv, "\n\n".join(map(_ldif, entries)), LDAPTLS_REQCERT="never")


def person(login: str, **values: str) -> Mapping[str, str]:
    return {"givenName": login.capitalize(), "sn": "Directory", "mail": f"{login}@directory.example", **values}


def windows_password(password: str) -> bytes:
    """Returns a value of ``unicodePwd`` (MS-ADTS section 3.1.1.3.1.5.1)."""
    return f'"{password}"'.encode("utf-16-le")


def _ldif(entry: Entry) -> str:
    dn = base64.b64encode(entry.dn.encode()).decode()
    return "\n".join((f"dn:: {dn}", *ldif_lines(entry.values)))
