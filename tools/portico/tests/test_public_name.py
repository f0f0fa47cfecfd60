"""A custom host name of the issuer, with or without a certificate: errors are reported before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_harness.certificates import write_certificate
from portico_stack.machine.public_name import NameRefused, read_certificate, read_host

HOST = "id.example.test"


def _up(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["up", *map(str, arguments)])


@pytest.mark.parametrize("name", ["localhost", "id.example.test", "xn--mnchen-3ya.example", "a", "1a.example", "a-b.c"])
def test_host_names_are_accepted(name: str) -> None:
    """Host names are accepted in any case and lowercased for the issuer."""
    assert read_host(name) == name
    assert read_host(name.upper()) == name


INVALID = (
    "", "a b", "id.example.test:8443", "https://id.example.test", "a/b", "-a.test", "a-.test", "a..b", ".a", "a.",
    "127.0.0.1", "1.2", "[::1]", "::1", "münchen.example", "a_b.test", "*.example.test", "a\n", "x" * 64,
    ".".join(["x" * 63] * 4),
)  # fmt: skip


def test_invalid_host_names_are_refused() -> None:
    """A port, scheme, address or wildcard gives one message and status 2."""
    for name in INVALID:
        result = _up("--host", name)

        assert result.exit_code == 2, repr(name)
        assert "is not a host name" in result.output, repr(name)


def test_matching_certificate_is_accepted(tmp_path: Path) -> None:
    """A certificate for the name is accepted from any CA, because clients decide about trust."""
    files = write_certificate(tmp_path, HOST)
    given = read_certificate(files.certificate, files.key, HOST)

    assert given == (files.certificate, files.key)
    assert read_certificate(None, None, HOST) is None


def test_certificate_and_key_must_match(tmp_path: Path) -> None:
    """A key of another certificate is refused by file name."""
    (tmp_path / "other").mkdir()
    files, other = write_certificate(tmp_path, HOST), write_certificate(tmp_path / "other", HOST)
    result = _up("--host", HOST, "--cert", files.certificate, "--key", other.key)

    assert result.exit_code == 2
    assert "is not the key of the certificate in" in " ".join(result.output.split())


@pytest.mark.parametrize("left_out", ["--cert", "--key"])
def test_certificate_and_key_are_both_required(tmp_path: Path, left_out: str) -> None:
    """A certificate without its key, or a key without its certificate, is refused."""
    files = write_certificate(tmp_path, HOST)
    options = {"--cert": files.certificate, "--key": files.key}
    del options[left_out]
    result = _up("--host", HOST, *next(iter(options.items())))

    assert result.exit_code == 2
    assert "both the certificate and its key" in result.output


@pytest.mark.parametrize("missing", ["--cert", "--key"])
def test_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    """A missing file is named with the system's error."""
    files = write_certificate(tmp_path, HOST)
    options = {"--cert": files.certificate, "--key": files.key} | {missing: tmp_path / "nothing.pem"}
    result = _up("--host", HOST, "--cert", options["--cert"], "--key", options["--key"])

    assert result.exit_code == 2
    assert "nothing.pem cannot be read: No such file or directory." in " ".join(result.output.split())


def test_invalid_certificate_files_are_refused(tmp_path: Path) -> None:
    """Invalid files are refused, and so is a key with a passphrase, which is not requested."""
    files = write_certificate(tmp_path, HOST, passphrase=b"secret")
    text = tmp_path / "text.pem"
    text.write_text("nothing")
    for certificate, key in ((files.certificate, files.key), (text, files.key), (files.certificate, text)):
        with pytest.raises(NameRefused, match="in PEM format, the key without a passphrase"):
            read_certificate(certificate, key, HOST)


@pytest.mark.parametrize("host", ["localhost", "example.test", "other.example.test"])
def test_certificate_of_another_name_is_refused(tmp_path: Path, host: str) -> None:
    """A certificate of another name is refused, because clients would fail without a useful error."""
    files = write_certificate(tmp_path, HOST)
    with pytest.raises(NameRefused, match=f"is not valid for {host}: .*[Mm]ismatch"):
        read_certificate(files.certificate, files.key, host)
