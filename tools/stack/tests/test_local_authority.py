from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from portico_stack.machine.local_authority import LocalAuthority
from portico_stack.machine.public_name import read_certificate

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def _ends(file: Path) -> datetime:
    return x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc


def test_authority_and_certificates_are_stable(tmp_path: Path) -> None:
    """The CA stays across starts, so that a browser trusts it once, and each host has a separate certificate."""
    authority = LocalAuthority(tmp_path / "authority")
    first = authority.issue("localhost", NOW)
    root, served = authority.file.read_bytes(), first.file.read_bytes()
    again = LocalAuthority(tmp_path / "authority").issue("localhost", NOW + timedelta(days=200))
    other = authority.issue("id.example.test", NOW)

    assert (authority.file.read_bytes(), again.file.read_bytes()) == (root, served)
    assert other.file.read_bytes() != served
    assert _ends(first.file) == NOW + timedelta(days=365)


def test_expiring_certificate_is_renewed(tmp_path: Path) -> None:
    """From 90 days before its expiry a certificate is renewed by the same CA at the next start."""
    authority = LocalAuthority(tmp_path)
    first = authority.issue("localhost", NOW)
    root, ends = authority.file.read_bytes(), _ends(first.file)
    later = NOW + timedelta(days=276)
    again = authority.issue("localhost", later)

    assert ends < _ends(again.file) == later + timedelta(days=365)
    assert authority.file.read_bytes() == root


def test_authority_keys_are_private(tmp_path: Path) -> None:
    """Only the owner can read the CA's key, which could forge any host for browsers that trust it (IN-05)."""
    issued = LocalAuthority(tmp_path / "authority").issue("localhost")

    assert (tmp_path / "authority").stat().st_mode & 0o077 == 0
    for name in ("root.key", "localhost.key"):
        assert (tmp_path / "authority" / name).stat().st_mode & 0o077 == 0
    assert read_certificate(issued.file, issued.key, "localhost") is not None


def test_certificates_are_for_servers_only(tmp_path: Path) -> None:
    """A leaked certificate cannot issue others, and the CA issues none that could."""
    authority = LocalAuthority(tmp_path)
    issued = authority.issue("localhost", NOW)
    root, leaf = (x509.load_pem_x509_certificate(file.read_bytes()) for file in (authority.file, issued.file))
    constraints = [one.extensions.get_extension_for_class(x509.BasicConstraints).value for one in (root, leaf)]

    assert [(one.ca, one.path_length) for one in constraints] == [(True, 0), (False, None)]
    leaf.verify_directly_issued_by(root)
