"""What a data directory remembers, which ports are given, and that only one stack uses it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from portico_stack.installation import Installation, PortBook, find_installation, load_or_create
from portico_stack.layout import Profile, ProfileRefused, keep_profile
from portico_stack.lock import AlreadyRunning, DirectoryLock
from portico_stack.ports import free_port, is_free


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """A new one."""
    return load_or_create(tmp_path)


def gateway(installation: Installation, asked: int, *, https: bool = False) -> int:
    """The gateway's port at one more start."""
    return PortBook(installation).gateway_port(installation, asked, https=https)


def test_secrets_are_made_once_and_kept(tmp_path: Path) -> None:
    """A second start finds what the first one made; no other user can read it (IN-09)."""
    first = load_or_create(tmp_path)
    second = load_or_create(tmp_path)

    assert first == second
    assert (tmp_path / "installation.json").stat().st_mode & 0o777 == 0o600
    assert first.admin_password not in repr(first)


def test_no_secret_is_made_twice(installation: Installation, tmp_path: Path) -> None:
    """Every user has a password of its own, in every installation another one."""
    other = load_or_create(tmp_path / "other")
    passwords = [
        *installation.bus_passwords.values(), *installation.redis_passwords.values(),
        *installation.mongo_passwords.values(), installation.login_api_key, installation.admin_password,
        *other.bus_passwords.values(), other.admin_password, *installation.sealing_keys.values(),
        *other.sealing_keys.values(),
    ]  # fmt: skip

    assert len(set(passwords)) == len(passwords)


def test_a_new_directory_has_no_installation(tmp_path: Path) -> None:
    """Reading an installation does not create its directory."""
    assert find_installation(tmp_path / "nothing") is None
    assert not (tmp_path / "nothing").exists()


def test_a_data_directory_keeps_its_profile(installation: Installation) -> None:
    """The servers of another profile have none of its data; one of a release before there were profiles has one of each."""
    keep_profile(installation, Profile.HA)
    keep_profile(installation, Profile.HA)
    with pytest.raises(ProfileRefused, match="created with the profile ha, not small"):
        keep_profile(installation, Profile.SMALL)
    installation.profile, installation.declared = "", {"demo data": "a digest"}
    with pytest.raises(ProfileRefused, match="created with the profile small"):
        keep_profile(installation, Profile.HA)


def test_ports_are_remembered(installation: Installation) -> None:
    """A listener has the port it had last time, so that addresses written down stay true."""
    first = [PortBook(installation).port(name) for name in ("redis", "mongo")]
    second = [PortBook(installation).port(name) for name in ("redis", "mongo")]

    assert first == second


def test_a_taken_port_is_replaced(installation: Installation) -> None:
    """Another free port takes its place, and is remembered instead."""
    port = PortBook(installation).port("redis")
    with socket.create_server(("127.0.0.1", port)):
        other = PortBook(installation).port("redis")

    assert other != port
    assert PortBook(installation).port("redis") == other


def test_no_port_is_given_twice(installation: Installation) -> None:
    """Also not when two listeners remember the same one."""
    port = free_port()
    installation.ports.update({"redis": port, "mongo": port})
    book = PortBook(installation)

    assert book.port("redis") == port
    assert book.port("mongo") != port


def test_the_gateway_gets_the_requested_port(installation: Installation) -> None:
    """The issuer is where the caller wants it."""
    port = free_port()

    assert gateway(installation, port) == port


def test_a_replaced_issuer_stays_while_the_same_is_requested(installation: Installation) -> None:
    """An issuer that moved because its port was taken does not move back and forth."""
    asked = free_port()
    with socket.create_server(("127.0.0.1", asked)):
        replacement = gateway(installation, asked)

    assert replacement != asked
    assert gateway(installation, asked) == replacement


def test_another_requested_port_is_another_issuer(installation: Installation) -> None:
    """A requested port is used, whatever the last one was; the same for https."""
    first = gateway(installation, free_port())
    other = free_port()

    assert gateway(installation, other) == other != first
    assert gateway(installation, first, https=True) == first


def test_a_port_of_the_other_address_family_is_taken(installation: Installation) -> None:
    """Browsers try ::1 first for localhost: a process that listens there would be taken for us."""
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        assert not is_free(server.getsockname()[1])


def test_one_stack_per_directory(tmp_path: Path) -> None:
    """A second one is refused with a sentence, until the first gives the directory back."""
    first, second = DirectoryLock(tmp_path), DirectoryLock(tmp_path)
    first.acquire()
    with pytest.raises(AlreadyRunning, match="Portico is already running from"):
        second.acquire()
    first.release()
    second.acquire()
    second.release()
