"""Keys and passkeys at sign-in: what is registered can be used, once, by its owner (LG-07, LG-19, LG-20)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from portico_contracts.users import BEGIN_ASSERTION, BeginAssertion, Factor
from portico_fakes.soft_authenticator import UP, UV, Wrong
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import b64url
from portico_users.commands.credentials.webauthn import RemoveCredential
from portico_users.credentials.webauthn.ceremonies import Use

pytestmark = pytest.mark.servers


async def test_a_key_signs_in(sign_in: Any) -> None:
    """As a second factor: its options name it, and its answer is the user's."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    done = await sign_in.finish(assertion, key.get(options))

    assert [one["id"] for one in options["publicKey"]["allowCredentials"]] == [b64url(key.credential_id)]
    assert options["publicKey"]["userVerification"] == "discouraged"
    assert done.user is not None
    assert done.user.user_id == sign_in.user_id
    assert not done.user_verified
    assert await sign_in.factors() == (Factor.U2F,)


async def test_a_passkey_signs_in_by_itself(sign_in: Any) -> None:
    """No login name is given: the passkey identifies and verifies the user."""
    key = await sign_in.register(passkey=True)
    assertion, options = await sign_in.begin(user_id="", passkey=True)
    done = await sign_in.finish(assertion, key.get(options), user_id="")

    assert options["publicKey"].get("allowCredentials", []) == []
    assert options["publicKey"]["userVerification"] == "required"
    assert done.user is not None
    assert done.user.user_id == sign_in.user_id
    assert done.user_verified


async def test_the_last_use_of_a_key_is_stored(sign_in: Any) -> None:
    """Beside when it was registered; a refused assertion is no use."""
    world = sign_in.world
    key = await sign_in.register()
    registered = world.clock.now()
    world.clock.tick(60)
    assertion, options = await sign_in.begin()
    await sign_in.finish(assertion, key.get(options, _client(type="webauthn.create")))
    [unused] = await world.rows("webauthnKeys", userId=sign_in.user_id)
    world.clock.tick(60)
    assertion, options = await sign_in.begin()
    await sign_in.finish(assertion, key.get(options))
    [used] = await world.rows("webauthnKeys", userId=sign_in.user_id)

    assert (unused["created"], unused["used"]) == (registered, 0)
    assert (used["created"], used["used"]) == (registered, registered + 120)


async def test_without_keys_there_is_no_challenge(sign_in: Any) -> None:
    """Nor for a passkey where there are only second factors; unknown users look the same."""
    none = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id=sign_in.user_id))
    await sign_in.register()
    no_passkey = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id=sign_in.user_id, passkey=True))
    unknown = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id="nobody"))

    assert none == no_passkey == unknown


@pytest.mark.parametrize("passkey", [False, True])
async def test_only_keys_of_the_kinds_that_count_may_answer(sign_in: Any, passkey: bool) -> None:
    """The challenge lists no others, and the reply names the kind that answered."""
    kinds = {True: Factor.PASSKEY, False: Factor.U2F}
    keys = {one: await sign_in.register(passkey=one) for one in (False, True)}
    question = BeginAssertion(user_id=sign_in.user_id, kinds=(kinds[passkey],))
    begun = await sign_in.world.call(BEGIN_ASSERTION, question)
    options = json.loads(begun.options)
    done = await sign_in.finish(begun.assertion, keys[passkey].get(options))
    again, other_options = await sign_in.begin()
    other = await sign_in.finish(again, keys[not passkey].get(other_options))

    assert [one["id"] for one in options["publicKey"]["allowCredentials"]] == [b64url(keys[passkey].credential_id)]
    assert (done.kind, other.kind) == (kinds[passkey], kinds[not passkey])
    assert other.user is not None


def _client(**members: Any) -> Wrong:
    return Wrong(client_data=lambda right: {**right, **members})


def _flags(flags: int) -> Wrong:
    return Wrong(auth=lambda auth: auth[:32] + bytes([flags]) + auth[33:])


def _response(**members: Any) -> Wrong:
    return Wrong(credential=lambda right: {**right, "response": {**right["response"], **members}})


REFUSED: dict[str, Wrong] = {
    "type of a registration": _client(type="webauthn.create"),
    "another challenge": _client(challenge=b64url(bytes(32))),
    "another origin": _client(origin="https://evil.example"),
    "in a frame": _client(crossOrigin=True),
    "another relying party": Wrong(auth=lambda auth: bytes(32) + auth[32:]),
    "nobody present": _flags(0),
    "backed up, and cannot be": _flags(UP | 0x10),
    "truncated": Wrong(auth=lambda auth: auth[:36]),
    "something after it": Wrong(auth=lambda auth: auth + b"\x00"),
    "another signature": _response(signature=b64url(bytes(70))),
    "empty signature": _response(signature=""),
    "handle of another user": _response(userHandle=b64url(bytes(32))),
    "handle that is a number": _response(userHandle=5),
    "another type": Wrong(credential=lambda right: {**right, "type": "password"}),
    "another id": Wrong(credential=lambda right: {**right, "id": b64url(bytes(32))}),
    "unknown key": Wrong(credential=lambda right: {**right, "id": b64url(bytes(32)), "rawId": b64url(bytes(32))}),
    "no response": Wrong(credential=lambda right: {**right, "response": None}),
    "a list": Wrong(credential=lambda _right: []),
}


@pytest.mark.parametrize("detail", REFUSED)
async def test_a_wrong_answer_is_refused(sign_in: Any, detail: str) -> None:
    """Each wrong in one detail; the right one to the same challenge comes too late then (LG-19, LG-20)."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    wrong = await sign_in.finish(assertion, key.get(options, REFUSED[detail]))
    right = await sign_in.finish(assertion, key.get(options))

    assert (wrong.user, right.user) == (None, None)


async def test_a_key_of_another_user_is_refused(sign_in: Any) -> None:
    """A right answer to Ada's challenge by Bob's key, with and without its handle."""
    bob = f"bob-{sign_in.world.tag}"
    await sign_in.register()
    key = await sign_in.register(user_id=bob)
    for handle in (key.user_handle, b""):
        key.user_handle = handle
        assertion, options = await sign_in.begin()
        assert (await sign_in.finish(assertion, key.get(options))).user is None


async def test_a_challenge_is_of_one_user(sign_in: Any) -> None:
    """A challenge of another user is none."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_a_second_factor_does_not_begin_a_sign_in(sign_in: Any) -> None:
    """Not even one with user verification begins a sign-in."""
    key = await sign_in.register()
    key.flags = UP | UV
    assertion, options = await sign_in.begin(user_id="", passkey=True)

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_a_passkey_without_verification_is_refused(sign_in: Any) -> None:
    """A passkey whose answer lacks the UV flag is refused."""
    key = await sign_in.register(passkey=True)
    key.flags = UP
    assertion, options = await sign_in.begin(user_id="", passkey=True)

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_a_count_that_does_not_grow_is_refused(sign_in: Any) -> None:
    """There may be two of the key."""
    key = await sign_in.register()
    heard = []
    for count in (5, 4, 5, 6):
        key.sign_count = count - 1
        assertion, options = await sign_in.begin()
        heard.append((await sign_in.finish(assertion, key.get(options))).user is not None)

    assert heard == [True, False, False, True]


async def test_of_parallel_answers_one_is_taken(sign_in: Any) -> None:
    """Of several answers to one challenge one succeeds (LG-19)."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    answer = key.get(options)
    heard = await asyncio.gather(*(sign_in.finish(assertion, answer) for _ in range(50)))

    assert [done.user is not None for done in heard].count(True) == 1


async def test_a_removed_key_is_worth_nothing(sign_in: Any) -> None:
    """Also for a challenge that was made before."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    human = await sign_in.human()
    await sign_in.find(RemoveCredential)(human, Use.U2F, human.security_keys[0].id, actor="x")

    assert (await sign_in.finish(assertion, key.get(options))).user is None
    assert await sign_in.factors() == ()


async def test_wrong_answers_slow_down(sign_in: Any) -> None:
    """From the fifth wrong answer on there is a delay (LG-07)."""
    await sign_in.register()
    for _ in range(5):
        assertion, _options = await sign_in.begin()
        assert (await sign_in.finish(assertion, "{}")).user is None
    assertion, _options = await sign_in.begin()
    with pytest.raises(ServiceError) as refused:
        await sign_in.finish(assertion, "{}")

    assert refused.value.id == "USER-033"


@pytest.mark.parametrize("text", ["", "[", "[" * 50_000, "null", "5", "x" * 70_000])
async def test_what_is_no_answer_is_refused(sign_in: Any, text: str) -> None:
    """An answer that is no assertion is refused, in whatever form."""
    await sign_in.register()
    assertion, _options = await sign_in.begin()

    assert (await sign_in.finish(assertion, text)).user is None
