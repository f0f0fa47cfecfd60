"""The life of a key, as examples and as properties that hold for every course of events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_keys.domain.key import HANDED_OUT, IN_KEY_SET, MOVES, Key, State
from portico_keys.domain.life import Policy, moves_due, next_serial, next_state, wait_of_missing
from portico_oauth.master_keys import SealedAtRest

POLICY = Policy(wait=3_600, signs=2_592_000, keep=3_720)
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
    """What one look of one replica makes of the keys."""
    wait = wait_of_missing(keys, "ES256", now, policy)
    if wait is not None:
        keys = [*keys, a_key(State.MADE, serial=next_serial(keys, "ES256"), since=now, wait=wait)]
    while due := moves_due(keys, now, policy):
        changed = {key.kid: key for key in due}
        keys = [changed.get(key.kid, key) for key in keys]
    return keys


def test_the_first_key_is_published_and_signs_at_once() -> None:
    """Without any key, the one that is made waits for nobody."""
    keys = settled([], START, POLICY)

    assert [key.state for key in keys] == [State.SIGNING]
    assert [key.activates_at for key in keys] == [START]


def test_a_key_does_not_retire_before_another_signs() -> None:
    """A signing key stays signing however old it is, as long as no newer one signs."""
    old = a_key(State.SIGNING)

    assert State.SIGNING is next_state(old, START + 10 * POLICY.signs, POLICY, succeeded=False)
    assert State.RETIRED is next_state(old, START, POLICY, succeeded=True)


def test_the_successor_is_published_its_waiting_time_before_it_signs() -> None:
    """The next key is made a waiting time before the old one's end, and signs when it has waited (IR-16)."""
    early = settled([a_key(State.SIGNING)], START + POLICY.signs - POLICY.wait - 1, POLICY)
    made = settled(early, START + POLICY.signs - POLICY.wait, POLICY)
    signing = settled(made, START + POLICY.signs, POLICY)

    assert [key.state for key in early] == [State.SIGNING]
    assert [key.state for key in made] == [State.SIGNING, State.PUBLISHED]
    assert [key.state for key in signing] == [State.RETIRED, State.SIGNING]


def test_a_key_that_is_gone_has_no_private_half() -> None:
    """Forgetting a key forgets its sealed private half as well."""
    gone = a_key(State.RETIRED).moved(State.GONE, START + 1)

    assert gone.sealed is None


@pytest.mark.parametrize("start", list(State))
@pytest.mark.parametrize("end", list(State))
def test_only_the_moves_of_the_table_are_possible(start: State, end: State) -> None:
    """A key goes from state to state by the table or not at all."""
    key = a_key(start)
    if end in MOVES[start]:
        assert end is key.moved(end, START + 1).state
        return

    with pytest.raises(ValueError, match="no way"):
        key.moved(end, START + 1)


policies = st.builds(
    lambda wait, longer, lease: Policy(wait=wait, signs=wait + longer, keep=TOKEN_LIFE + lease),
    wait=st.integers(0, 10_000),
    longer=st.integers(60, 3_000_000),
    lease=st.integers(60, 600),
)
pauses = st.lists(st.one_of(st.floats(0.1, 5.0), st.floats(0.1, 4_000_000.0)), min_size=1, max_size=40)


@given(policy=policies, pauses=pauses)
def test_there_is_never_a_gap(policy: Policy, pauses: list[float]) -> None:
    """At every moment, however irregular the looks, a handed-out key may sign."""
    now, keys = START, settled([], START, POLICY)
    for pause in pauses:
        now += pause
        keys = settled(keys, now, policy)

        assert any(key.state in HANDED_OUT and key.activates_at <= now for key in keys)


@given(policy=policies, pauses=pauses)
def test_never_a_token_that_cannot_be_verified(policy: Policy, pauses: list[float]) -> None:
    """Whatever may have signed within the life of a token is in the key set (IR-16)."""
    now, keys = START, settled([], START, policy)
    could_sign = {key.kid: now for key in keys}
    for pause in pauses:
        now += pause
        could_sign |= {key.kid: now for key in keys if key.state in HANDED_OUT and key.activates_at <= now}
        keys = settled(keys, now, policy)
        in_key_set = {key.kid for key in keys if key.state in IN_KEY_SET}

        assert {kid for kid, last in could_sign.items() if now - last < TOKEN_LIFE} <= in_key_set


@given(policy=policies, pauses=pauses)
def test_a_key_signs_only_after_its_waiting_time_in_the_key_set(policy: Policy, pauses: list[float]) -> None:
    """All but the very first key have been published for the waiting time before they sign."""
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
def test_looking_twice_at_the_same_moment_changes_nothing(policy: Policy, pauses: list[float]) -> None:
    """Every replica looks; the second finds nothing left to do."""
    now, keys = START, settled([], START, policy)
    for pause in pauses:
        now += pause
        keys = settled(keys, now, policy)

        assert keys == settled(keys, now, policy)


def test_serials_count_on_after_keys_that_are_gone() -> None:
    """A serial number is never used twice, so that a claim is one for ever."""
    gone = replace(a_key(State.GONE, serial=4), sealed=None)

    assert next_serial([gone], "ES256") == 5
    assert next_serial([gone], "RS256") == 1
