"""A real 389 Directory Server for tests, made by its own `dscreate` in a temporary folder, on loopback."""

from __future__ import annotations

import grp
import os
import pwd
import re
import secrets
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Process, Program

from portico_harness.loop_thread import LoopThread
from portico_harness.real_directory import (
    LOGIN,
    OLD_LOGIN,
    PASSWORD,
    Entry,
    RealDirectory,
    add_entries,
    find_tool,
    person,
    run_tool,
)

_PACKAGE: Final = "389-ds-base"
_DEFAULTS: Final = Path("/usr/share/dirsrv/inf/defaults.inf")
_OF_SYSTEM: Final = Path("/etc/dirsrv")
_NAME: Final = "portico"
_HOST: Final = "localhost"
_ROOT_DN: Final = "cn=Directory Manager"
_BASE_DN: Final = "dc=example,dc=org"
_GROUP: Final = f"cn=R\\, D,ou=groups,{_BASE_DN}"
_OUTER: Final = f"cn=everyone,ou=groups,{_BASE_DN}"
_SEARCH_DN: Final = f"cn=portico,{_BASE_DN}"
_STOP_SECONDS: Final = 10


@contextmanager
def running_dirsrv(folder: Path) -> Iterator[RealDirectory]:
    """Runs the server until the block ends.

    Args:
        folder: with a short path: the server listens at a Unix socket in it.

    Raises:
        NotInstalled: the message names the package.
    """
    dscreate, ns_slapd = find_tool("dscreate", _PACKAGE), find_tool("ns-slapd", _PACKAGE)
    root = folder / "root-password"
    write_private(root, secrets.token_hex(16))
    port, plain_port = free_port(), free_port()
    _redirect_paths(folder)
    write_private(folder / "portico.inf", _answers(root.read_text(), port, plain_port))
    run_tool((dscreate, "from-file", str(folder / "portico.inf")), PREFIX=str(folder))
    config = folder / "etc" / "dirsrv" / f"slapd-{_NAME}"
    _adjust(config / "dse.ldif")

    async def answers() -> None:
        socket.create_connection((_HOST, port), 1).close()

    # Without -d it leaves the foreground.
    argv = (ns_slapd, "-D", str(config), "-i", str(folder / "pid"), "-d", "0")
    loop = LoopThread()
    try:
        process = Process(Program("ns-slapd", argv, answers), folder / "logs", print)
        loop.run(process.start())
        try:
            add_entries(f"ldap://{_HOST}:{plain_port}", _ROOT_DN, root, _entries())
            yield _directory(port, plain_port, (folder / "etc/dirsrv/ssca/ca.crt").read_text())
        finally:
            loop.run(process.stop(_STOP_SECONDS))
    finally:
        loop.close()


def _redirect_paths(folder: Path) -> None:
    """Lets the server's tools read and write below the folder all that they would have in the system's folders."""
    text = re.sub(r"= (/etc|/var|/run|/dev/shm)\b", rf"= {folder}\1", _DEFAULTS.read_text())
    ours = {
        "inst_dir": f"{folder}/inst",
        "with_systemd": "0",
        "user": pwd.getpwuid(os.getuid()).pw_name,
        "group": grp.getgrgid(os.getgid()).gr_name,
    }
    for name, value in ours.items():
        text = re.sub(rf"^{name} = .*", f"{name} = {value}", text, flags=re.MULTILINE)
    (folder / "share" / "dirsrv" / "inf").mkdir(parents=True)
    (folder / "share" / "dirsrv" / "inf" / "defaults.inf").write_text(text)
    (folder / "etc" / "default").mkdir(parents=True)
    for part in ("config", "schema"):
        shutil.copytree(_OF_SYSTEM / part, folder / "etc" / "dirsrv" / part)


def _answers(root: str, port: int, plain_port: int) -> str:
    return f"""
[general]
config_version = 2
full_machine_name = {_HOST}
selinux = False
systemd = False
start = False

[slapd]
instance_name = {_NAME}
port = {plain_port}
secure_port = {port}
root_password = {root}

[backend-userroot]
suffix = {_BASE_DN}
"""


def _adjust(dse: Path) -> None:
    """Listens on loopback only, lists groups in ``memberOf``, and lets passwords expire."""
    config = "nsslapd-listenhost: 127.0.0.1\nnsslapd-securelistenhost: 127.0.0.1\npasswordExp: on\n"
    text = re.sub(r"^passwordExp: .*\n", "", dse.read_text(), flags=re.MULTILINE | re.IGNORECASE)
    text = text.replace("dn: cn=config\n", f"dn: cn=config\n{config}", 1)
    plugin = re.compile(r"(dn: cn=MemberOf Plugin,.*?nsslapd-pluginEnabled: )off", re.DOTALL)
    write_private(dse, plugin.sub(r"\1on", text, count=1))


def _entries() -> Iterator[Entry]:
    user, old = (f"uid={login},ou=people,{_BASE_DN}" for login in (LOGIN, OLD_LOGIN))
    expired = {"passwordExpirationTime": "20200101000000Z"}
    rule = f'(targetattr="*")(version 3.0; acl "search"; allow (read, search, compare) userdn="ldap:///{_SEARCH_DN}";)'
    yield Entry(_BASE_DN, {"objectClass": "domain", "aci": rule})
    for unit in ("people", "groups"):
        yield Entry(f"ou={unit},{_BASE_DN}", {"objectClass": "organizationalUnit"})
    classes = ("organizationalRole", "simpleSecurityObject")
    yield Entry(_SEARCH_DN, {"objectClass": classes, "userPassword": PASSWORD})
    for dn, login, further in ((user, LOGIN, {}), (old, OLD_LOGIN, expired)):
        values = person(login, cn=login, userPassword=PASSWORD, **further)
        yield Entry(dn, {"objectClass": ("inetOrgPerson", "nsMemberOf"), **values})
    yield Entry(_GROUP, {"objectClass": ("groupOfNames", "nsMemberOf"), "member": user})
    yield Entry(_OUTER, {"objectClass": "groupOfNames", "member": _GROUP})


def _directory(port: int, plain_port: int, authority: str) -> RealDirectory:
    return RealDirectory(
        host=_HOST,
        address="127.0.0.1",
        port=port,
        plain_port=plain_port,
        authority=authority,
        base_dn=_BASE_DN,
        search_dn=_SEARCH_DN,
        user_class="inetOrgPerson",
        login_attribute="uid",
        subject="entryUUID",
        group=_GROUP,
        outer_group=_OUTER,
        lists_outer=True,
    )
