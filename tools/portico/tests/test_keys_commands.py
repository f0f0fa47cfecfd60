from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.keys import (
    KEY_STATES,
    REVOKE_KEY,
    REWRAP_KEYS,
    ROTATE_KEYS,
    GetKeyStates,
    KeyState,
    KeyStates,
    RevokeKey,
    RewrapKeys,
    RotateKeys,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats
from portico_oauth.errors import ErrorCode, Kind

NO_KEY = ErrorCode("TEST-090", Kind.NOT_FOUND, "Signing key not found.")
STATES = KeyStates(
    keys=(
        KeyState(kid="c3", alg="RS256", state="published", since=1_790_000_000.5, activates_at=1_790_003_600.5),
        KeyState(kid="b2", alg="ES256", state="signing", since=1_780_000_000.0, activates_at=1_780_000_000.0),
        KeyState(kid="a1", alg="RS256", state="revoked", since=1_790_000_000.0, activates_at=1_780_000_000.0),
    )
)


class FakeKeys(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "keys", KEY_STATES, GetKeyStates())
        self.bus.respond(KEY_STATES, self._answer)
        self.bus.respond(ROTATE_KEYS, self._answer)
        self.bus.respond(REVOKE_KEY, self._answer)
        self.bus.respond(REWRAP_KEYS, self._answer)

    async def _answer(self, question: Any) -> KeyStates:
        self.asked.append(question)
        if question == RevokeKey(kid="unknown"):
            raise NO_KEY.error()
        return STATES


@pytest.fixture
def fake_keys(nats_server: RunningNats) -> Iterator[FakeKeys]:
    played = FakeKeys(nats_server)
    played.start()
    yield played
    played.stop()


def portico_keys(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("keys", *arguments), env=login)


@pytest.mark.servers
def test_list_sorts_by_algorithm_and_newest_first(nats_server: RunningNats, fake_keys: FakeKeys) -> None:
    """The list has one line per key, times in UTC, and no signing time for a key that will not sign again."""
    result = portico_keys(nats_server, "list")

    assert [line.split() for line in result.output.splitlines()] == [
        ["key", "alg", "state", "since", "signs", "from"],
        ["b2", "ES256", "signing", "2026-05-28T20:26:40Z", "2026-05-28T20:26:40Z"],
        ["c3", "RS256", "published", "2026-09-21T14:13:20Z", "2026-09-21T15:13:20Z"],
        ["a1", "RS256", "revoked", "2026-09-21T14:13:20Z"],
    ]
    assert result.exit_code == 0


@pytest.mark.servers
@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("rotate",), RotateKeys()),
        (("rotate", "--now"), RotateKeys(now=True)),
        (("rotate", "--now", "--alg", "ES256"), RotateKeys(alg="ES256", now=True)),
        (("revoke", "a1"), RevokeKey(kid="a1")),
        (("rewrap",), RewrapKeys()),
    ],
)
def test_commands_send_one_request(
    nats_server: RunningNats, fake_keys: FakeKeys, arguments: tuple[str, ...], asked: object
) -> None:
    """Each command sends one request and has status 0."""
    fake_keys.asked.clear()
    result = portico_keys(nats_server, *arguments)

    assert result.exit_code == 0, result.output
    assert fake_keys.asked == [asked]


@pytest.mark.servers
def test_error_is_one_message_and_status_1(nats_server: RunningNats, fake_keys: FakeKeys) -> None:
    """An error is one message without a traceback, and status 1."""
    result = portico_keys(nats_server, "revoke", "unknown")

    assert (result.exit_code, result.output) == (1, "refused: Signing key not found. (TEST-090)\n")


@pytest.mark.servers
def test_unavailable_keys_service_is_reported(nats_server: RunningNats) -> None:
    """Without a response the status is 1, and the message names what to check."""
    result = portico_keys(nats_server, "list")

    assert result.exit_code == 1
    assert result.output.endswith("Is the keys service running?\n")


@pytest.mark.parametrize("arguments", [(), ("revoke",), ("rotate", "--later"), ("shred",)])
def test_wrong_usage_has_status_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(main, ("keys", *arguments)).exit_code == 2


def test_stack_or_address_is_required(tmp_path: Path) -> None:
    """Without a stack or an address the error names both ways."""
    result = CliRunner().invoke(main, ("keys", "list", "--data", str(tmp_path)))

    assert result.exit_code == 2
    assert "PORTICO_BUS_URL" in result.output
