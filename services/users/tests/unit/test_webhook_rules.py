from __future__ import annotations

import base64
import json

import msgspec
import pytest
from portico_contracts.events import AGENT_ENDED, USER_CHANGED, WEBHOOKS, Changed
from portico_users.webhooks.rules import EVENT_TYPES, is_pattern, problems_of, type_of
from portico_users.webhooks.webhook import (
    GIVE_UP_SECONDS,
    LONGEST_REST,
    PAUSES,
    Webhook,
    asked_pause,
    body_of,
    headers_of,
    is_secret,
    new_secret,
    rest_after,
    retry_after,
)


def changed_event(sequence: int = 3, action: str = "updated") -> Changed:
    return Changed(
        event_id="e1",
        aggregate_id="u1",
        org_id="o1",
        sequence=sequence,
        at=1_790_000_000.25,
        actor="a1",
        fields=("username",),
        action=action,
    )


def test_body_of_an_ended_agent_has_its_ids() -> None:
    """Who ended it, for whom, and which one; other events have no such members."""
    ended = msgspec.structs.replace(changed_event(action="ended"), user_id="u1", client_id="c1")
    data = json.loads(body_of(type_of(AGENT_ENDED, ended), "agents", ended))
    other = json.loads(body_of("user.updated", "users", changed_event()))

    assert (data["type"], data["data"]["userId"], data["data"]["clientId"]) == ("agent.ended", "u1", "c1")
    assert data["data"]["editorUserId"] == "a1"
    assert "appId" not in data["data"]
    assert {"userId", "clientId"}.isdisjoint(other["data"])


def webhook(*types: str, url: str = "https://hooks.example/in", name: str = "Hook") -> Webhook:
    return Webhook(id="w1", org_id="o1", name=name, url=url, event_types=types)


@pytest.mark.parametrize(
    "kind", ["user.created", "user.*", "*", "webhook.deleted", "instance.updated", "agent.ended", "agent.*"]
)
def test_known_types_can_be_subscribed(kind: str) -> None:
    """Single types, all of a kind, or everything can be subscribed."""
    assert is_pattern(kind)
    assert list(problems_of(webhook(kind), frozenset())) == []


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "user",
        "user.",
        "user.c*",
        "us*",
        "**",
        "user.*.*",
        "User.created",
        "user.created\n",
        "agent.created",
        "user.ended",
    ],
)
def test_unknown_types_are_refused(kind: str) -> None:
    """A mistyped event type is refused instead of never matching."""
    assert not is_pattern(kind)


@pytest.mark.parametrize(
    ("types", "heard"),
    [(("*",), True), (("user.*",), True), (("user.updated",), True), (("user.created", "org.*"), False)],
)
def test_types_match_exactly_or_by_prefix(types: tuple[str, ...], heard: bool) -> None:
    """`user.*` matches all events of users and no others."""
    assert webhook(*types).receives("user.updated") is heard


def test_every_event_has_three_types() -> None:
    """Each consumed event has the types created, updated and deleted, but for the two that change no record."""
    assert len(EVENT_TYPES) == 3 * (len(WEBHOOKS.events) - 2) + 1
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)


@pytest.mark.parametrize(
    ("sequence", "action", "kind"),
    [(1, "", "user.created"), (2, "", "user.updated"), (1, "created", "user.created"), (2, "deleted", "user.deleted")],
)
def test_event_of_an_older_release_has_a_type(sequence: int, action: str, kind: str) -> None:
    """Without an action, the first event of an object means its creation (FD-28)."""
    assert type_of(USER_CHANGED, changed_event(sequence, action)) == kind


def test_body_contains_field_names_without_values() -> None:
    """The body has names and ids; 64-bit numbers are strings, as everywhere in the API."""
    assert json.loads(body_of("user.updated", "users", changed_event())) == {
        "type": "user.updated",
        "timestamp": "2026-09-21T14:13:20.250000Z",
        "data": {
            "id": "e1",
            "aggregateType": "users",
            "aggregateId": "u1",
            "resourceOwner": "o1",
            "sequence": "3",
            "editorUserId": "a1",
            "fields": ["username"],
        },
    }


def test_signature_matches_the_specification() -> None:
    """The signature equals the published example of Standard Webhooks."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = '{"test": 2432232314}'
    headers = headers_of("msg_p5jXN8AQM9LWM0D4loKWxJek", body, [secret], 1_614_265_330.9)

    assert headers["webhook-timestamp"] == "1614265330"
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_generated_secrets_can_sign() -> None:
    """A generated secret has 32 bytes after its prefix and can sign."""
    secret = new_secret(lambda count: bytes(range(count)))

    assert is_secret(secret)
    assert secret == "whsec_" + base64.b64encode(bytes(range(32))).decode()


@pytest.mark.parametrize(
    "text",
    ["", "whsec_", "whsec_!!!", base64.b64encode(bytes(32)).decode(), f"whsec_{base64.b64encode(bytes(23)).decode()}"],
)
def test_invalid_secrets_are_refused(text: str) -> None:
    """Secrets that are too short, not base64, or without the prefix are refused."""
    assert not is_secret(text)


def test_delivery_retries_have_back_off() -> None:
    """Pauses grow from seconds to hours; a receiver that accepts nothing is paused for at most ten minutes."""
    pauses = [retry_after(attempts) for attempts in range(1, 30)]
    rests = [rest_after(failures) for failures in range(1, 100)]

    assert pauses == sorted(pauses)
    assert pauses[0] == PAUSES[0] == 5
    assert pauses[-1] == PAUSES[-1] < GIVE_UP_SECONDS
    assert rests == sorted(rests)
    assert (rests[0], rests[-1]) == (1, LONGEST_REST)


RETRY_AFTER = (
    ("120", 120.0),
    (" 0 ", 0.0),
    ("999999999", PAUSES[-1]),
    ("Mon, 21 Sep 2026 13:36:40 GMT", 1000.0),
    ("Monday, 21-Sep-26 13:36:40 GMT", 1000.0),
    ("Mon Sep 21 13:36:40 2026", 1000.0),
    ("Mon, 21 Sep 2026 13:19:00 GMT", 0.0),
    ("Mon, 21 Sep 2099 13:19:00 GMT", PAUSES[-1]),
    ("", 0.0),
    ("soon", 0.0),
    ("-5", 0.0),
    ("1.5", 0.0),
    ("\u0665", 0.0),
    ("9" * 5000, 0.0),
)
"""Headers, and the seconds of the pause."""


def test_retry_after_of_a_receiver() -> None:
    """RFC 9110 10.2.3: seconds and all three date formats are supported; an unknown format is ignored."""
    found = [(header, asked_pause(header, 1_789_996_800.0)) for header, _ in RETRY_AFTER]

    assert found == [*RETRY_AFTER]


@pytest.mark.parametrize("name", ["", " x", "x\x00", "x" * 201])
def test_webhook_name_rules(name: str) -> None:
    """The name of a webhook follows the rules of all display names."""
    assert [problem.path for problem in problems_of(webhook("*", name=name), frozenset())] == ["name"]


def test_operator_can_allow_private_addresses() -> None:
    """Host and port are parsed as in the setting (IP-03)."""
    inside = webhook("*", url="http://127.0.0.1:8090/in")

    assert [problem.path for problem in problems_of(inside, frozenset())] == ["url"]
    assert list(problems_of(inside, frozenset({("127.0.0.1", 8090)}))) == []
