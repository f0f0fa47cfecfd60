"""Security keys and passkeys at sign-in (LG-07, LG-19, LG-20)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from portico_contracts.users import BEGIN_ASSERTION, BeginAssertion, Factor
from portico_fakes.soft_authenticator import BE, UP, UV, Wrong
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import b64url
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import RemoveCredential

pytestmark = pytest.mark.servers


async def test_security_key_signs_in(sign_in: Any) -> None:
    """As a second factor, its options name the credential, and its response identifies the user."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    done = await sign_in.finish(assertion, key.get(options))

    assert [one["id"] for one in options["publicKey"]["allowCredentials"]] == [b64url(key.credential_id)]
    assert options["publicKey"]["userVerification"] == "discouraged"
    assert done.user is not None
    assert done.user.user_id == sign_in.user_id
    assert not done.user_verified
    assert await sign_in.factors() == (Factor.U2F,)


async def test_passkey_signs_in_without_login_name(sign_in: Any) -> None:
    """The passkey identifies and verifies the user."""
    key = await sign_in.register(passkey=True)
    assertion, options = await sign_in.begin(user_id="", passkey=True)
    done = await sign_in.finish(assertion, key.get(options), user_id="")

    assert options["publicKey"].get("allowCredentials", []) == []
    assert options["publicKey"]["userVerification"] == "required"
    assert done.user is not None
    assert done.user.user_id == sign_in.user_id
    assert done.user_verified


@pytest.mark.parametrize("flags", [0, BE], ids=["bound", "eligible"])
async def test_key_stays_what_it_was_at_registration(sign_in: Any, flags: int) -> None:
    """Backup eligibility never changes: other flags are another key's (WebAuthn Level 3 section 7.2)."""
    key = await sign_in.register(flags=flags)
    assertion, options = await sign_in.begin()
    right = await sign_in.finish(assertion, key.get(options))
    key.flags = UP | (BE & ~flags)
    assertion, options = await sign_in.begin()
    changed = await sign_in.finish(assertion, key.get(options))

    assert right.user is not None
    assert right.device_bound is (flags == 0)
    assert changed.user is None


@pytest.mark.parametrize("backed_up", [True, False])
async def test_key_of_an_earlier_release_is_what_its_first_use_states(sign_in: Any, backed_up: bool) -> None:
    """Earlier releases stored whether a key was backed up only; a key that was cannot become device-bound."""
    key = await sign_in.register()
    rows = sign_in.world.parts.mongo.database["webauthnKeys"]
    before = {"$unset": {"backupEligible": ""}, "$set": {"backedUp": backed_up}}
    await rows.update_one({"userId": sign_in.user_id}, before)
    assertion, options = await sign_in.begin()
    done = await sign_in.finish(assertion, key.get(options))
    [row] = await sign_in.world.rows("webauthnKeys", userId=sign_in.user_id)

    assert (done.user is not None, done.device_bound) == (not backed_up, not backed_up)
    assert row.get("backupEligible") is (None if backed_up else False)


async def test_last_use_of_a_key_is_stored(sign_in: Any) -> None:
    """The last use is stored besides the registration; a refused assertion is not a use."""
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


async def test_user_without_keys_gets_no_challenge(sign_in: Any) -> None:
    """A user with only second factors gets no passkey challenge, and an unknown user none at all, with the same
    response.
    """
    none = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id=sign_in.user_id))
    await sign_in.register()
    no_passkey = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id=sign_in.user_id, passkey=True))
    unknown = await sign_in.world.call(BEGIN_ASSERTION, BeginAssertion(user_id="nobody"))

    assert none == no_passkey == unknown


@pytest.mark.parametrize("passkey", [False, True])
async def test_only_allowed_kinds_of_keys_are_accepted(sign_in: Any, passkey: bool) -> None:
    """The challenge lists only allowed kinds, and the reply has the kind of the key used."""
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
async def test_wrong_assertion_is_refused(sign_in: Any, detail: str) -> None:
    """Each assertion has one wrong detail; the right one to the same challenge is too late afterwards (LG-19,
    LG-20).
    """
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    wrong = await sign_in.finish(assertion, key.get(options, REFUSED[detail]))
    right = await sign_in.finish(assertion, key.get(options))

    assert (wrong.user, right.user) == (None, None)


async def test_key_of_another_user_is_refused(sign_in: Any) -> None:
    """A right response to Ada's challenge by Bob's key is refused, with and without its handle."""
    bob = f"bob-{sign_in.world.tag}"
    await sign_in.register()
    key = await sign_in.register(user_id=bob)
    for handle in (key.user_handle, b""):
        key.user_handle = handle
        assertion, options = await sign_in.begin()
        assert (await sign_in.finish(assertion, key.get(options))).user is None


async def test_challenge_is_bound_to_its_user(sign_in: Any) -> None:
    """A challenge of another user is refused."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_second_factor_does_not_start_a_sign_in(sign_in: Any) -> None:
    """A security key does not start a sign-in, not even with user verification."""
    key = await sign_in.register()
    key.flags = UP | UV
    assertion, options = await sign_in.begin(user_id="", passkey=True)

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_passkey_without_user_verification_is_refused(sign_in: Any) -> None:
    key = await sign_in.register(passkey=True)
    key.flags = UP
    assertion, options = await sign_in.begin(user_id="", passkey=True)

    assert (await sign_in.finish(assertion, key.get(options), user_id="")).user is None


async def test_stalled_signature_counter_is_refused(sign_in: Any) -> None:
    """A signature counter that does not grow indicates a cloned authenticator."""
    key = await sign_in.register()
    heard = []
    for count in (5, 4, 5, 6):
        key.sign_count = count - 1
        assertion, options = await sign_in.begin()
        heard.append((await sign_in.finish(assertion, key.get(options))).user is not None)

    assert heard == [True, False, False, True]


async def test_of_parallel_responses_one_is_accepted(sign_in: Any) -> None:
    """Of several responses to one challenge one succeeds (LG-19)."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    answer = key.get(options)
    heard = await asyncio.gather(*(sign_in.finish(assertion, answer) for _ in range(50)))

    assert [done.user is not None for done in heard].count(True) == 1


async def test_removed_key_is_refused(sign_in: Any) -> None:
    """A removed key is refused, even for a challenge issued before."""
    key = await sign_in.register()
    assertion, options = await sign_in.begin()
    human = await sign_in.human()
    await sign_in.find(RemoveCredential)(human, Use.U2F, human.security_keys[0].id, actor="x")

    assert (await sign_in.finish(assertion, key.get(options))).user is None
    assert await sign_in.factors() == ()


async def test_wrong_responses_are_delayed(sign_in: Any) -> None:
    """From the fifth wrong response on there is a delay (LG-07)."""
    await sign_in.register()
    for _ in range(5):
        assertion, _options = await sign_in.begin()
        assert (await sign_in.finish(assertion, "{}")).user is None
    assertion, _options = await sign_in.begin()
    with pytest.raises(ServiceError) as refused:
        await sign_in.finish(assertion, "{}")

    assert refused.value.id == "USER-033"


@pytest.mark.parametrize("text", ["", "[", "[" * 50_000, "null", "5", "x" * 70_000])
async def test_malformed_response_is_refused(sign_in: Any, text: str) -> None:
    """A response that is not an assertion is refused, in any form."""
    await sign_in.register()
    assertion, _options = await sign_in.begin()

    assert (await sign_in.finish(assertion, text)).user is None
