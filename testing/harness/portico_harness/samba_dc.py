"""A real Samba as domain controller for tests: LDAP alone, at a loopback address that nothing else uses."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Process, Program

from portico_harness.ldap_server import Values
from portico_harness.loop_thread import LoopThread
from portico_harness.real_directory import (
    LOGIN,
    OLD_LOGIN,
    PASSWORD,
    Entry,
    NotInstalled,
    RealDirectory,
    add_entries,
    find_tool,
    person,
    run_tool,
    windows_password,
)

_PACKAGE: Final = "samba-ad-provision"
_PORT: Final = 636
_PLAIN_PORT: Final = 389
_DOMAIN: Final = "directory.test"
_HOST: Final = f"DC1.{_DOMAIN}"
_BASE_DN: Final = "DC=directory,DC=test"
_USERS: Final = f"CN=Users,{_BASE_DN}"
_ROOT_DN: Final = f"CN=Administrator,{_USERS}"
_SEARCH_DN: Final = f"CN=portico,{_USERS}"
_GROUP: Final = f"CN=R\\2C D,{_USERS}"
_OUTER: Final = f"CN=everyone,{_USERS}"
_NORMAL_ACCOUNT: Final = "512"
_STOP_SECONDS: Final = 10


@contextmanager
def running_samba(folder: Path) -> Iterator[RealDirectory]:
    """Runs the server until the block ends. Its ports are fixed, so it has an address to itself.

    Raises:
        NotInstalled: a package or root is missing; the message names it.
    """
    tool, samba = find_tool("samba-tool", _PACKAGE), find_tool("samba", "samba")
    if not Path("/usr/share/samba/setup/ad-schema").is_dir():
        raise NotInstalled(f"Samba cannot make a domain: install the package {_PACKAGE}")
    if os.getuid():
        raise NotInstalled("Samba as domain controller needs root")
    root, address = folder / "root-password", _free_address()
    write_private(root, f"Aa1.{secrets.token_hex(16)}")
    run_tool(_provision(tool, folder, root.read_text()))
    settings = folder / "portico.conf"
    write_private(settings, _settings(folder, address))
    for part in ("run", "ncalrpc"):
        (folder / part).mkdir()

    async def answers() -> None:
        socket.create_connection((address, _PORT), 1).close()

    argv = (samba, "-s", str(settings), "--foreground", "--no-process-group", "--debug-stdout")
    loop = LoopThread()
    try:
        process = Process(Program("samba", argv, answers), folder / "logs", print)
        loop.run(process.start())
        try:
            add_entries(f"ldaps://{address}", _ROOT_DN, root, _entries())
            yield _directory(address, (folder / "private" / "tls" / "ca.pem").read_text())
        finally:
            loop.run(process.stop(_STOP_SECONDS))
    finally:
        loop.close()


def _free_address() -> str:
    """Returns an address of this machine at which neither port is taken."""
    while True:
        address = f"127.{secrets.randbelow(200) + 20}.{secrets.randbelow(250)}.{secrets.randbelow(250) + 1}"
        try:
            for port in (_PORT, _PLAIN_PORT):
                socket.create_server((address, port)).close()
        except OSError:
            continue
        return address


def _provision(tool: str, folder: Path, password: str) -> tuple[str, ...]:
    given = {
        "targetdir": str(folder),
        "realm": _DOMAIN.upper(),
        "domain": "DIRECTORY",
        "host-name": _HOST.partition(".")[0],
        "host-ip": "127.0.0.1",
        "server-role": "dc",
        "dns-backend": "NONE",
        "adminpass": password,
    }
    return (tool, "domain", "provision", *(f"--{name}={value}" for name, value in given.items()))


def _settings(folder: Path, address: str) -> str:
    return f"""
[global]
    realm = {_DOMAIN.upper()}
    workgroup = DIRECTORY
    netbios name = {_HOST.partition(".")[0]}
    server role = active directory domain controller
    server services = ldap
    bind interfaces only = yes
    interfaces = {address}/8
    private dir = {folder}/private
    state directory = {folder}/state
    cache directory = {folder}/cache
    lock directory = {folder}
    binddns dir = {folder}/bind-dns
    pid directory = {folder}/run
    ncalrpc dir = {folder}/ncalrpc
    log file = {folder}/logs/log.%m
"""


def _entries() -> Iterator[Entry]:
    yield _account(_SEARCH_DN, "portico")
    user = f"CN=Dora Directory,{_USERS}"
    yield _account(user, LOGIN)
    yield _account(f"CN=Olga Directory,{_USERS}", OLD_LOGIN, pwdLastSet="0")
    yield Entry(_GROUP, {"objectClass": "group", "sAMAccountName": "rd", "member": user})
    yield Entry(_OUTER, {"objectClass": "group", "sAMAccountName": "everyone-there", "member": _GROUP})


def _account(dn: str, login: str, **further: str) -> Entry:
    values: Values = {
        "objectClass": "user",
        "sAMAccountName": login,
        "userPrincipalName": f"{login}@{_DOMAIN}",
        "unicodePwd": windows_password(PASSWORD),
        "userAccountControl": _NORMAL_ACCOUNT,
    }
    return Entry(dn, {**values, **person(login, **further)})


def _directory(address: str, authority: str) -> RealDirectory:
    return RealDirectory(
        host=_HOST.lower(),
        address=address,
        port=_PORT,
        plain_port=_PLAIN_PORT,
        authority=authority,
        base_dn=_BASE_DN,
        search_dn=_SEARCH_DN,
        user_class="user",
        login_attribute="sAMAccountName",
        subject="objectGUID",
        group=_GROUP,
        outer_group=_OUTER,
        lists_outer=False,
    )
