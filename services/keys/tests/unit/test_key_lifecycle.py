"""The key lifecycle, by examples and by properties that hold for every course of events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_keys.domain.key import DISTRIBUTED, IN_KEY_SET, TRANSITIONS, Key, State
from portico_keys.domain.lifecycle import (
    Policy,
    due_transitions,
    find_first_signing,
    next_serial,
    next_state,
    wait_of_missing,
)
from portico_keys.jwks import key_set_of
from portico_oauth.master_keys import SealedAtRest

POLICY = Policy(wait=3_600, signing=2_592_000, retention=3_720)
TOKEN_LIFE = 3_600
START = 1_790_000_000.0


def a_key(state: State, *, serial: int = 1, since: float = START, wait: float = 0.0, kid: str = "") -> Key:
    return Key(
        kid=kid or f"k{serial}",
        alg="ES256",
        serial=serial,
        wait=wait,
        state=state,
        since=since,
        jwk={},
        sealed=SealedAtRest("m", b"n", b"d"),
        activates_at=since + wait,
    )


def settled(keys: list[Key], now: float, policy: Policy) -> list[Key]:
    """Returns the keys after one reconciliation of one replica."""
    wait = wait_of_missing(keys, "ES256", now, policy)
    if wait is not None:
        keys = [*keys, a_key(State.CREATED, serial=next_serial(keys, "ES256"), since=now, wait=wait)]
    while due := due_transitions(keys, now, policy):
        changed = {key.kid: key for key in due}
        keys = [changed.get(key.kid, key) for key in keys]
    return keys


def test_first_key_is_published_and_signs_at_once() -> None:
    keys = settled([], START, POLICY)

    assert [key.state for key in keys] == [State.SIGNING]
    assert [key.activates_at for key in keys] == [START]


def test_key_does_not_retire_before_another_signs() -> None:
    old = a_key(State.SIGNING)

    assert State.SIGNING is next_state(old, START + 10 * POLICY.signing, POLICY, is_first=False, has_successor=False)
    assert State.RETIRED is next_state(old, START, POLICY, is_first=False, has_successor=True)


def test_successor_is_published_before_it_signs() -> None:
    """The next key is created one waiting time before the end of the old one, and signs after it (IR-16)."""
    early = settled([a_key(State.SIGNING)], START + POLICY.signing - POLICY.wait - 1, POLICY)
    made = settled(early, START + POLICY.signing - POLICY.wait, POLICY)
    signing = settled(made, START + POLICY.signing, POLICY)

    assert [key.state for key in early] == [State.SIGNING]
    assert [key.state for key in made] == [State.SIGNING, State.PUBLISHED]
    assert [key.state for key in signing] == [State.RETIRED, State.SIGNING]


@pytest.mark.parametrize("end", [State.RETIRED, State.REVOKED])
def test_retired_key_has_no_private_half(end: State) -> None:
    assert a_key(State.SIGNING).transitioned(end, START + 1).sealed is None


def test_keys_are_activated_in_planned_order() -> None:
    """An urgent key signs before one planned earlier, which is activated after it."""
    signing, planned = a_key(State.SIGNING), a_key(State.PUBLISHED, serial=2, wait=3_600)
    urgent = a_key(State.PUBLISHED, serial=3, since=START + 5, wait=10)
    soon = settled([signing, planned, urgent], START + 15, POLICY)
    later = settled(soon, START + 3_600, POLICY)

    assert [key.state for key in soon] == [State.RETIRED, State.PUBLISHED, State.SIGNING]
    assert [key.state for key in later] == [State.RETIRED, State.SIGNING, State.RETIRED]


def test_waiting_key_signs_early_when_no_other_can() -> None:
    """The next key signs before its activation time if no other key can sign."""
    waiting = [a_key(State.PUBLISHED, serial=serial, wait=3_600 * serial) for serial in (2, 3)]
    keys = settled(waiting, START + 1, POLICY)

    assert [key.state for key in keys] == [State.SIGNING, State.PUBLISHED]
    assert keys[0].activates_at == START + 1


def test_new_key_follows_one_activated_by_a_fast_clock() -> None:
    """A key activated by a replica half a minute ahead still gets a successor."""
    ahead = a_key(State.SIGNING, since=START + 30)
    keys = settled([ahead, a_key(State.CREATED, serial=2)], START, POLICY)
    signing = settled(keys, START + 31, POLICY)

    assert [key.state for key in keys] == [State.SIGNING, State.PUBLISHED]
    assert [key.state for key in signing] == [State.RETIRED, State.SIGNING]


WAYS = {
    (State.CREATED, State.PUBLISHED),
    (State.CREATED, State.REVOKED),
    (State.PUBLISHED, State.SIGNING),
    (State.PUBLISHED, State.REVOKED),
    (State.SIGNING, State.RETIRED),
    (State.SIGNING, State.REVOKED),
    (State.RETIRED, State.EXPIRED),
    (State.RETIRED, State.REVOKED),
}
"""All transitions: none leaves the states EXPIRED and REVOKED."""


@pytest.mark.parametrize("start", list(State))
@pytest.mark.parametrize("end", list(State))
def test_only_listed_transitions_are_possible(start: State, end: State) -> None:
    key = a_key(start)
    if (start, end) in WAYS:
        assert end is key.transitioned(end, START + 1).state
        return

    with pytest.raises(ValueError, match="no transition"):
        key.transitioned(end, START + 1)


@pytest.mark.parametrize(
    ("state", "published", "handed_out"),
    [
        (State.CREATED, False, False),
        (State.PUBLISHED, True, True),
        (State.SIGNING, True, True),
        (State.RETIRED, True, False),
        (State.EXPIRED, False, False),
        (State.REVOKED, False, False),
    ],
)
def test_state_decides_what_is_shown_of_a_key(state: State, *, published: bool, handed_out: bool) -> None:
    """The public half of a revoked key is in no key set, and its private half in no lease (IR-16)."""
    key = replace(a_key(state), jwk={"kid": "k1"})

    assert len(key_set_of([key]).keys) == published
    assert (state in DISTRIBUTED) == handed_out


LEASE, LEEWAY = 60, 60
policies = st.builds(
    lambda wait, longer, lease: Policy(wait=wait, signing=wait + longer, retention=TOKEN_LIFE + lease),
    wait=st.integers(0, 10_000),
    longer=st.integers(60, 3_000_000),
    lease=st.integers(LEASE + 2 * LEEWAY, 600),
)
pauses = st.lists(st.one_of(st.floats(0.1, 5.0), st.floats(0.1, 4_000_000.0)), min_size=1, max_size=40)
skews = st.floats(-LEEWAY / 2, LEEWAY / 2)
"""Clock error of the reconciling replica: any two clocks differ by the leeway at most."""
courses = st.lists(
    st.tuples(
        st.one_of(st.floats(0.1, 5.0), st.floats(0.1, 4_000_000.0)),
        skews,
        st.sampled_from(["look", "look", "rotate", "rotate now", "revoke"]),
        st.integers(0, 100),
    ),
    min_size=1,
    max_size=40,
)
"""Pause, skew, operator action, and the key concerned."""


def done(keys: list[Key], act: str, which: int, now: float, policy: Policy) -> list[Key]:
    """Returns the keys after an operation of one replica."""
    if act in ("rotate", "rotate now"):
        wait = policy.wait if act == "rotate" else 10
        keys = [*keys, a_key(State.CREATED, serial=next_serial(keys, "ES256"), since=now, wait=wait)]
    elif act == "revoke":
        kept = [key for key in keys if State.REVOKED in TRANSITIONS[key.state]]
        lost = kept[which % len(kept)]
        keys = [key.transitioned(State.REVOKED, now) if key is lost else key for key in keys]
    return settled(keys, now, policy)


def can_sign(keys: list[Key], now: float) -> set[str]:
    """Returns the keys that some token replica, with any permitted clock, may sign with."""
    first = find_first_signing(keys, "ES256")
    return {
        key.kid for key in keys if key.state in DISTRIBUTED and (key is first or key.activates_at <= now + LEEWAY / 2)
    }


@given(policy=policies, course=courses)
def test_some_key_can_always_sign(policy: Policy, course: list[tuple[float, float, str, int]]) -> None:
    """At any time, however irregular reconciliations, clocks and operators are, a key in the key set signs (IR-16)."""
    now, keys = START, settled([], START, policy)
    for pause, skew, act, which in course:
        now += pause
        keys = done(keys, act, which, now + skew, policy)
        first = find_first_signing(keys, "ES256")

        assert first is not None
        assert first.state is State.SIGNING
        assert first.sealed is not None


@pytest.mark.slow
@given(policy=policies, course=courses)
def test_every_valid_token_can_be_verified(policy: Policy, course: list[tuple[float, float, str, int]]) -> None:
    """Every key that signed within the lifetime of a token, a lease and the leeway is in the key set or revoked."""
    now, keys = START, settled([], START, policy)
    could_sign = {key.kid: now for key in keys}
    for pause, skew, act, which in course:
        # A replica uses the keys of its lease for a minute at most.
        could_sign |= dict.fromkeys(can_sign(keys, now), now + min(pause, LEASE))
        now += pause
        keys = done(keys, act, which, now + skew, policy)
        could_sign |= dict.fromkeys(can_sign(keys, now), now)
        known = {key.kid for key in keys if key.state in IN_KEY_SET or key.state is State.REVOKED}

        assert {kid for kid, last in could_sign.items() if now < last + TOKEN_LIFE + LEEWAY} <= known


@given(policy=policies, course=courses)
def test_one_key_signs_after_every_reconciliation(policy: Policy, course: list[tuple[float, float, str, int]]) -> None:
    """All waiting keys come after the signing one (IR-16)."""
    now, keys = START, settled([], START, policy)
    for pause, skew, act, which in course:
        now += pause
        keys = done(keys, act, which, now + skew, policy)
        [signing] = [key for key in keys if key.state is State.SIGNING]

        assert all(key.activation_order > signing.activation_order for key in keys if key.state is State.PUBLISHED)


@given(policy=policies, pauses=pauses)
def test_key_signs_after_its_waiting_time(policy: Policy, pauses: list[float]) -> None:
    """Every key but the first has been published for the waiting time before it signs."""
    now, keys = START, settled([], START, policy)
    published: dict[str, float] = {}
    for pause in pauses:
        now += pause
        keys = settled(keys, now, policy)
        for key in keys:
            published.setdefault(key.kid, now if key.serial > 1 else START)
            if key.serial > 1 and key.state is State.SIGNING:
                assert now - published[key.kid] >= policy.wait


@given(policy=policies, pauses=pauses)
def test_reconciling_twice_changes_nothing(policy: Policy, pauses: list[float]) -> None:
    now, keys = START, settled([], START, policy)
    for pause in pauses:
        now += pause
        keys = settled(keys, now, policy)

        assert keys == settled(keys, now, policy)


def test_serials_continue_after_expired_keys() -> None:
    gone = replace(a_key(State.EXPIRED, serial=4), sealed=None)

    assert next_serial([gone], "ES256") == 5
    assert next_serial([gone], "RS256") == 1
