"""Security keys as second factors in the management API: registration, the specification's verification, removal."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, ManagementApi, call_as
from portico_fakes.soft_authenticator import SoftAuthenticator

pytestmark = pytest.mark.servers

_OF = "portico.user.v2.UserService"
REGISTER, VERIFY, REMOVE = f"{_OF}.RegisterU2F", f"{_OF}.VerifyU2FRegistration", f"{_OF}.RemoveU2F"
ORIGIN = "http://localhost:8080"


class Keys:
    def __init__(self, managed: Any, *, user: str = "self") -> None:
        self.managed = managed
        self.user_id = f"{user}-{managed.tag}"

    async def begin(self, *, by: str = "self", **body: Any) -> ApiResponse:
        return await self._call(REGISTER, body, by, f"/v2/users/{self.user_id}/u2f")

    async def finish(
        self, id: str, credential: Any, *, by: str = "self", name: str = "Blue key", **more: Any
    ) -> ApiResponse:
        body = {"publicKeyCredential": credential, "tokenName": name}
        return await self._call(VERIFY, body, by, f"/v2/users/{self.user_id}/u2f/{id}", **more)

    async def remove(self, id: str, *, by: str = "self") -> ApiResponse:
        return await self._call(REMOVE, {}, by, f"/v2/users/{self.user_id}/u2f/{id}")

    async def listed(self) -> list[dict[str, Any]]:
        [user] = await self.managed.users.rows("users", _id=self.user_id)
        return list(user["securityKeys"])

    async def _call(self, name: str, body: Any, by: str, path: str, **more: Any) -> ApiResponse:
        return await call_as(self.managed, name, body, by=by, path=path, **more)


def begun(response: ApiResponse) -> tuple[str, dict[str, Any]]:
    assert response.code == 0, response.body
    return response.body["u2fId"], response.body["publicKeyCredentialCreationOptions"]


def new_key(**more: Any) -> SoftAuthenticator:
    return SoftAuthenticator(secrets.token_bytes, ORIGIN, **more)


async def test_key_is_registered_and_removed(managed: Any) -> None:
    """Each step increments the user's sequence, and no event contains key data."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    done = await keys.finish(id, key.create(options))
    [row] = await managed.users.rows("webauthnKeys", userId=keys.user_id)
    listed = await keys.listed()
    events = await managed.users.rows("events", object=keys.user_id)
    gone = await keys.remove(id)

    assert done.code == 0, done.body
    assert done.body["details"]["sequence"] == "2"
    assert done.body["details"]["resourceOwner"] == managed.org_id
    assert listed == [{"id": id, "name": "Blue key", "passkey": False}]
    assert row["transports"] == ["usb"]
    assert row["publicKey"] not in str(events)
    assert row["credentialId"] not in str(events)
    assert gone.body["details"]["sequence"] == "3"
    assert await keys.listed() == []
    assert await managed.users.rows("webauthnKeys", userId=keys.user_id) == []
    assert (await keys.remove(id)).code == 5


async def test_options_are_for_a_second_factor(managed: Any) -> None:
    """No attestation, five minutes, supported algorithms, an opaque user handle, and existing credentials excluded."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    members = options["publicKey"]
    await keys.finish(id, key.create(options))
    _, again = begun(await keys.begin())

    assert members["rp"] == {"id": "localhost", "name": "Portico"}
    assert members["attestation"] == "none"
    assert members["timeout"] == 300_000
    assert [one["alg"] for one in members["pubKeyCredParams"]] == [-7, -8, -257]
    assert members["authenticatorSelection"]["userVerification"] == "discouraged"
    assert members["excludeCredentials"] == []
    assert keys.user_id not in json.dumps(members["user"]["id"])
    assert len(key.user_handle) == 32
    assert [one["transports"] for one in again["publicKey"]["excludeCredentials"]] == [["usb"]]


@pytest.mark.parametrize("domain", ["evil.example", "host", "127.0.0.1", ".localhost", "localhost.", "a b"])
async def test_other_domain_is_refused(managed: Any, domain: str) -> None:
    """Only the issuer's host or a parent domain is accepted."""
    refused = await Keys(managed).begin(domain=domain)

    assert (refused.code, refused.error_code, refused.fields) == (3, "USER-505", ["domain"])


async def test_challenge_works_for_one_attempt(managed: Any) -> None:
    """A wrong credential uses it up like a right one (LG-19)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    right = key.create(options)
    wrong = await keys.finish(id, {**right, "type": "password"})
    after = await keys.finish(id, right)

    assert (wrong.code, wrong.error_code, wrong.fields) == (3, "USER-502", ["publicKeyCredential"])
    assert (after.code, after.error_code) == (5, "USER-501")
    assert await managed.users.rows("webauthnKeys", userId=keys.user_id) == []


async def test_only_one_concurrent_attempt_succeeds(managed: Any, other_replica: Any) -> None:
    """Of concurrent attempts on two replicas one succeeds (LG-19)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    credential = key.create(options)
    there = ManagementApi(other_replica.service, other_replica.bus)
    token = there.token_of(keys.user_id)
    body = {"publicKeyCredential": credential, "tokenName": "x"}
    path = f"/v2/users/{keys.user_id}/u2f/{id}"
    answers = await asyncio.gather(
        *(keys.finish(id, credential) for _ in range(20)),
        *(there.json(VERIFY, body, token=token, path=path) for _ in range(20)),
    )

    assert sorted(answer.code for answer in answers) == [0] + [5] * 39


@pytest.mark.parametrize("seconds", [300, -11])
async def test_challenge_expires_after_five_minutes(managed: Any, seconds: int) -> None:
    """A challenge expires on the second, and is invalid if the clock was set back before its issue (FD-14)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    managed.users.clock.tick(seconds)

    assert (await keys.finish(id, key.create(options))).error_code == "USER-501"


@pytest.mark.parametrize(("by", "other"), [("owner", "self"), ("self", "owner")])
async def test_only_the_starting_caller_finishes(managed: Any, by: str, other: str) -> None:
    """Neither the user nor a caller with user.credential.write can finish the other's registration, which stays
    pending.
    """
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin(by=by))
    credential = key.create(options)
    refused = await keys.finish(id, credential, by=other)
    finished = await keys.finish(id, credential, by=by)
    again = await keys.finish(id, credential, by=other)

    assert (refused.code, refused.error_code) == (7, "USER-591")
    assert finished.code == 0
    assert (again.code, again.error_code) == (5, "USER-501")


async def test_registration_of_another_user_is_unknown(managed: Any) -> None:
    """Another user of the organization cannot finish it with the right id and credential."""
    mine, theirs, key = Keys(managed), Keys(managed, user="viewer"), new_key()
    id, options = begun(await mine.begin(by="owner"))
    swapped = await theirs.finish(id, key.create(options), by="owner")

    assert swapped.error_code == "USER-501"
    assert await theirs.listed() == []


async def test_credential_belongs_to_one_user(managed: Any) -> None:
    """A registered credential id is refused for every user (section 7.1, step 22)."""
    mine, theirs, key = Keys(managed), Keys(managed, user="viewer"), new_key()
    id, options = begun(await mine.begin())
    await mine.finish(id, key.create(options))
    for keys, by in ((mine, "self"), (theirs, "viewer")):
        id, options = begun(await keys.begin(by=by))
        refused = await keys.finish(id, key.create(options), by=by)

        assert (refused.code, refused.error_code) == (6, "USER-503")
    assert await theirs.listed() == []


async def test_registration_can_be_cancelled(managed: Any) -> None:
    """Cancelling a registration does not change the user."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    removed = await keys.remove(id)

    assert removed.body["details"]["sequence"] == "1"
    assert (await keys.finish(id, key.create(options))).error_code == "USER-501"


async def test_at_most_twenty_keys(managed: Any) -> None:
    """The twenty-first registration cannot be started."""
    keys = Keys(managed)
    for number in range(20):
        id, options = begun(await keys.begin())
        assert (await keys.finish(id, new_key().create(options), name=f"key {number}")).code == 0

    assert (await keys.begin()).error_code == "USER-504"


async def test_service_user_cannot_register_a_key(managed: Any) -> None:
    assert (await Keys(managed, user="robot").begin(by="owner")).error_code == "USER-506"


@pytest.mark.parametrize(("length", "code"), [(54, 3), (55, 0), (1_048_576, 0), (1_048_577, 3)])
async def test_size_of_a_credential_is_limited(managed: Any, length: int, code: int) -> None:
    """55 to 1048576 characters of compact JSON are accepted; 55 characters are still verified (MG-14)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    credential = _padded(key.create(options), length) if length > 100 else {"id": "x" * (length - len('{"id":""}'))}
    response = await keys.finish(id, credential)

    assert len(json.dumps(credential, separators=(",", ":"))) == length
    if length == 55:
        assert response.error_code == "USER-502"
    elif code:
        assert (response.code, response.error_code, response.fields) == (3, "USER-303", ["publicKeyCredential"])
    else:
        assert response.code == 0, response.body


def _padded(credential: dict[str, Any], length: int) -> dict[str, Any]:
    room = length - len(json.dumps({**credential, "more": ""}, separators=(",", ":")))
    return {**credential, "more": "x" * room}
