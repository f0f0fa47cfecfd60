"""The data directory: stored secrets, assigned ports, and the lock against a second stack."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from portico_stack.assembly.layout import Profile, ProfileRefused, keep_profile
from portico_stack.installation.installation import Installation, PortBook, find_installation, load_or_create
from portico_stack.machine.ports import free_port, is_free
from portico_stack.processes.lock import AlreadyRunning, DirectoryLock


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return load_or_create(tmp_path)


def gateway(installation: Installation, asked: int, *, https: bool = False) -> int:
    return PortBook(installation).gateway_port(installation, asked, https=https)


def test_secrets_are_generated_once(tmp_path: Path) -> None:
    """A second start reads the secrets of the first, and no other user can read them (IN-09)."""
    first = load_or_create(tmp_path)
    second = load_or_create(tmp_path)

    assert first == second
    assert (tmp_path / "installation.json").stat().st_mode & 0o777 == 0o600
    assert first.admin_password not in repr(first)


def test_secrets_are_unique(installation: Installation, tmp_path: Path) -> None:
    """Every user has a separate password in every installation."""
    other = load_or_create(tmp_path / "other")
    passwords = [
        *installation.bus_passwords.values(), *installation.redis_passwords.values(),
        *installation.mongo_passwords.values(), installation.login_api_key, installation.admin_password,
        *other.bus_passwords.values(), other.admin_password, *installation.sealing_keys.values(),
        *other.sealing_keys.values(),
    ]  # fmt: skip

    assert len(set(passwords)) == len(passwords)


def test_reading_does_not_create_the_directory(tmp_path: Path) -> None:
    """Reading an installation does not create its directory."""
    assert find_installation(tmp_path / "nothing") is None
    assert not (tmp_path / "nothing").exists()


def test_data_directory_keeps_its_profile(installation: Installation) -> None:
    """A data directory refuses another profile, because its servers lack the data."""
    keep_profile(installation, Profile.HA)
    keep_profile(installation, Profile.HA)
    with pytest.raises(ProfileRefused, match="created with the profile ha, not small"):
        keep_profile(installation, Profile.SMALL)
    installation.profile, installation.declared = "", {"demo data": "a digest"}
    with pytest.raises(ProfileRefused, match="created with the profile small"):
        keep_profile(installation, Profile.HA)


def test_ports_are_remembered(installation: Installation) -> None:
    """A listener keeps its port across starts, so that written addresses stay valid."""
    first = [PortBook(installation).port(name) for name in ("redis", "mongo")]
    second = [PortBook(installation).port(name) for name in ("redis", "mongo")]

    assert first == second


def test_taken_port_is_replaced(installation: Installation) -> None:
    """A port in use is replaced by a free one, which is stored instead."""
    port = PortBook(installation).port("redis")
    with socket.create_server(("127.0.0.1", port)):
        other = PortBook(installation).port("redis")

    assert other != port
    assert PortBook(installation).port("redis") == other


def test_no_port_is_assigned_twice(installation: Installation) -> None:
    """Two listeners that stored the same port get different ones."""
    port = free_port()
    installation.ports.update({"redis": port, "mongo": port})
    book = PortBook(installation)

    assert book.port("redis") == port
    assert book.port("mongo") != port


def test_gateway_gets_the_requested_port(installation: Installation) -> None:
    """The gateway and the issuer have the requested port."""
    port = free_port()

    assert gateway(installation, port) == port


def test_replaced_issuer_port_is_stable(installation: Installation) -> None:
    """An issuer whose requested port was taken keeps its replacement while the same port is requested."""
    asked = free_port()
    with socket.create_server(("127.0.0.1", asked)):
        replacement = gateway(installation, asked)

    assert replacement != asked
    assert gateway(installation, asked) == replacement


def test_another_requested_port_changes_the_issuer(installation: Installation) -> None:
    """A newly requested port is used whatever the last one was, and likewise for https."""
    first = gateway(installation, free_port())
    other = free_port()

    assert gateway(installation, other) == other != first
    assert gateway(installation, first, https=True) == first


def test_port_on_ipv6_loopback_counts_as_taken(installation: Installation) -> None:
    """Browsers try ::1 first for localhost, so a listener there would be mistaken for the stack."""
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        assert not is_free(server.getsockname()[1])


def test_one_stack_per_directory(tmp_path: Path) -> None:
    """A second stack is refused with a message until the first one releases the directory."""
    first, second = DirectoryLock(tmp_path), DirectoryLock(tmp_path)
    first.acquire()
    with pytest.raises(AlreadyRunning, match="Portico is already running from"):
        second.acquire()
    first.release()
    second.acquire()
    second.release()


def test_installation_with_one_master_key_for_all_services(installation: Installation) -> None:
    """Releases before 0.2 shared a master key; it is that of each service until the next start adds more."""
    installation.master_key, installation.sealing_keys = "shared", {}

    assert installation.master_keys_of("users") == "shared"
