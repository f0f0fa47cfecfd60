"""The list of breached passwords: a file, a directory, a range service, and what happens without (decision 0101)."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest
from portico_fakes.clock import FrozenClock
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_users.credentials.passwords.breached.breached_passwords import PAUSE_SECONDS, BreachedPasswords
from portico_users.credentials.passwords.breached.digest import digest_of
from portico_users.credentials.passwords.breached.doctor_checks import check_breached_passwords
from portico_users.credentials.passwords.breached.range_file import BLOCK, RangeFile, UnusableList
from portico_users.credentials.passwords.breached.range_service import RangeService
from portico_users.settings import Settings
from pydantic import ValidationError

LISTED = [f"listed {number}" for number in range(1_000)]


def key_of(password: str) -> str:
    return hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()


def one_file(path: Path, end: str = "\r\n") -> Path:
    lines = sorted(f"{key_of(password)}:{number + 1}" for number, password in enumerate(LISTED))
    path.write_bytes(end.join(lines).encode() + end.encode())
    assert path.stat().st_size > 10 * BLOCK
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_each_line_of_a_sorted_file_is_found(tmp_path: Path, end: str) -> None:
    """First and last lines and those at the edges of blocks too; a password between two lines is not listed."""
    ranges = RangeFile(str(one_file(tmp_path / "list.txt", end)))
    found = [await ranges.count(digest_of(password)) for password in LISTED]
    others = {await ranges.count(digest_of(f"other {number}")) for number in range(100)}

    assert found == list(range(1, len(LISTED) + 1))
    assert others == {0}


async def test_lookup_reads_a_few_blocks_only(tmp_path: Path) -> None:
    ranges = RangeFile(str(one_file(tmp_path / "list.txt")))
    tracemalloc.start()
    try:
        await ranges.count(digest_of(LISTED[700]))
        _kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 40_000


async def test_directory_of_range_files_is_read(tmp_path: Path) -> None:
    for password in LISTED[:3]:
        key = key_of(password)
        (tmp_path / f"{key[:5]}.txt").write_text(f"{'0' * 35}:1\n{key[5:]}:7\n{'F' * 35}:2", "ascii")
    ranges = RangeFile(str(tmp_path))

    assert [await ranges.count(digest_of(password)) for password in LISTED[:3]] == [7, 7, 7]
    with pytest.raises(UnusableList):
        await ranges.count(digest_of("in no file"))


@pytest.mark.parametrize("text", ["password\n" * 2_000, "x" * 20_000, f"{'A' * 32}:1\n" * 500, "\n" * 9_000])
async def test_other_files_are_no_list(tmp_path: Path, text: str) -> None:
    """Plain passwords, one long line, NTLM hashes and empty lines give an error, not an answer."""
    (tmp_path / "list.txt").write_text(text, "ascii")

    with pytest.raises(UnusableList):
        await RangeFile(str(tmp_path / "list.txt")).count(digest_of("anything"))


class Ranges:
    def __init__(self, *answers: OutboundResponse | OutboundError) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, Mapping[str, str] | None]] = []

    async def get(self, url: str, headers: Mapping[str, str] | None = None, *, limit: int) -> OutboundResponse:
        self.asked.append((url, headers))
        answer = self.answers.pop(0)
        if isinstance(answer, OutboundError):
            raise answer
        assert len(answer.body) <= limit
        return answer


def a_range(*lines: str, status: int = 200) -> OutboundResponse:
    return OutboundResponse(status, "\r\n".join(lines).encode())


async def test_service_gets_five_digits_of_the_hash(clock: FrozenClock) -> None:
    """The password and the rest of its hash are not sent, and the response is padded."""
    key = key_of("listed")
    ranges = Ranges(a_range(f"{'0' * 35}:3", f"{key[5:]}:42"))
    breached = BreachedPasswords(RangeService("https://ranges.example/range/", ranges), clock)

    assert await breached.contains("listed")
    [(url, headers)] = ranges.asked
    assert url == f"https://ranges.example/range/{key[:5]}"
    assert (headers or {})["Add-Padding"] == "true"
    assert key[5:] not in repr(ranges.asked)


async def test_padding_is_no_match(clock: FrozenClock) -> None:
    """Lines with the count 0 are padding, and another suffix is another password."""
    key = key_of("not listed")
    padded = RangeService("https://ranges.example", Ranges(a_range(f"{key[5:]}:0"), a_range(f"{'A' * 35}:9")))
    breached = BreachedPasswords(padded, clock)

    assert [await breached.contains("not listed") for _ in range(2)] == [False, False]


@pytest.mark.parametrize(
    "failure", [NoResponse("TimeoutError"), a_range(status=503), a_range(f"{key_of('listed')[5:]}:many")]
)
async def test_list_that_is_away_refuses_no_password(
    clock: FrozenClock, failure: OutboundResponse | OutboundError
) -> None:
    """An unavailable list is not requested again for a while, so that only one user waits for it."""
    found = a_range(f"{key_of('listed')[5:]}:1")
    ranges = Ranges(failure, found)
    breached = BreachedPasswords(RangeService("https://ranges.example", ranges), clock)
    away = [await breached.contains("listed") for _ in range(3)]
    clock.tick(PAUSE_SECONDS)

    assert away == [False, False, False]
    assert await breached.contains("listed")
    assert len(ranges.asked) == 2


async def test_missing_file_refuses_no_password(clock: FrozenClock, tmp_path: Path) -> None:
    assert not await BreachedPasswords(RangeFile(str(tmp_path / "none.txt")), clock).contains("listed")


async def test_doctor_looks_up_common_passwords(tmp_path: Path) -> None:
    """A list with the most common passwords is fine; another list, or none at the path, is not."""
    common = ("password", "123456", "qwerty", "iloveyou")
    (tmp_path / "good.txt").write_text("\n".join(sorted(f"{key_of(one)}:9" for one in common)), "ascii")
    one_file(tmp_path / "other.txt")
    names = ("good.txt", "other.txt", "none.txt")
    settings = [Settings(breached_passwords_file=str(tmp_path / name)) for name in names]
    findings = [await check_breached_passwords(one, one) for one in settings]

    assert [finding and finding.level for finding in findings] == ["ok", "wrong", "wrong"]
    assert await check_breached_passwords(Settings(), Settings()) is None


@pytest.mark.parametrize(
    "settings",
    [
        {"breached_passwords_file": "/list.txt", "breached_passwords_url": "https://ranges.example"},
        {"breached_passwords_url": "ranges.example"},
    ],
)
def test_invalid_list_setting_is_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(settings)
