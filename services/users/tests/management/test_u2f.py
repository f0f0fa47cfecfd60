"""Keys as second factors through the management API: registration, the specification's verify, removal."""

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
    """Calls the operations for a user of the world."""

    def __init__(self, managed: Any, *, user: str = "self") -> None:
        self.managed = managed
        self.user_id = f"{user}-{managed.tag}"

    async def begin(self, *, by: str = "self", **body: Any) -> ApiResponse:
        """Begins a registration."""
        return await self._call(REGISTER, body, by, f"/v2/users/{self.user_id}/u2f")

    async def finish(
        self, id: str, credential: Any, *, by: str = "self", name: str = "Blue key", **more: Any
    ) -> ApiResponse:
        """Completes one."""
        body = {"publicKeyCredential": credential, "tokenName": name}
        return await self._call(VERIFY, body, by, f"/v2/users/{self.user_id}/u2f/{id}", **more)

    async def remove(self, id: str, *, by: str = "self") -> ApiResponse:
        """Removes a key."""
        return await self._call(REMOVE, {}, by, f"/v2/users/{self.user_id}/u2f/{id}")

    async def listed(self) -> list[dict[str, Any]]:
        """The keys the user has, as they are stored with the user."""
        [user] = await self.managed.users.rows("users", _id=self.user_id)
        return list(user["securityKeys"])

    async def _call(self, name: str, body: Any, by: str, path: str, **more: Any) -> ApiResponse:
        return await call_as(self.managed, name, body, by=by, path=path, **more)


def begun(response: ApiResponse) -> tuple[str, dict[str, Any]]:
    """The id and the options of a registration."""
    assert response.code == 0, response.body
    return response.body["u2fId"], response.body["publicKeyCredentialCreationOptions"]


def new_key(**more: Any) -> SoftAuthenticator:
    """A security key of a user."""
    return SoftAuthenticator(secrets.token_bytes, ORIGIN, **more)


async def test_a_key_is_registered_and_removed(managed: Any) -> None:
    """Begin, verify, remove: the sequence of the user counts the changes, and nothing of the key is in an event."""
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


async def test_the_options_are_for_a_second_factor(managed: Any) -> None:
    """Attestation none, five minutes, our algorithms, a handle without personal data, no credential twice."""
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
async def test_a_key_for_another_domain_is_refused(managed: Any, domain: str) -> None:
    """Only the host of the issuer, or a domain above it."""
    refused = await Keys(managed).begin(domain=domain)

    assert (refused.code, refused.error_code, refused.fields) == (3, "USER-505", ["domain"])


async def test_a_challenge_is_good_for_one_attempt(managed: Any) -> None:
    """A wrong credential uses it up like a right one (LG-19)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    right = key.create(options)
    wrong = await keys.finish(id, {**right, "type": "password"})
    after = await keys.finish(id, right)

    assert (wrong.code, wrong.error_code, wrong.fields) == (3, "USER-502", ["publicKeyCredential"])
    assert (after.code, after.error_code) == (5, "USER-501")
    assert await managed.users.rows("webauthnKeys", userId=keys.user_id) == []


async def test_of_parallel_attempts_one_succeeds(managed: Any, other_replica: Any) -> None:
    """Over two replicas one of the parallel attempts succeeds (LG-19)."""
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
    await there.http.aclose()

    assert sorted(answer.code for answer in answers) == [0] + [5] * 39


@pytest.mark.parametrize("seconds", [300, -11])
async def test_a_challenge_ends_after_five_minutes(managed: Any, seconds: int) -> None:
    """A second too late is too late, and so is a clock that was set back behind its issue (FD-14)."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    managed.users.clock.tick(seconds)

    assert (await keys.finish(id, key.create(options))).error_code == "USER-501"


@pytest.mark.parametrize(("by", "other"), [("owner", "self"), ("self", "owner")])
async def test_only_the_caller_that_began_finishes(managed: Any, by: str, other: str) -> None:
    """Neither the user nor a holder of user.credential.write finishes what the other began; it stays with who began."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin(by=by))
    credential = key.create(options)
    refused = await keys.finish(id, credential, by=other)
    finished = await keys.finish(id, credential, by=by)
    again = await keys.finish(id, credential, by=other)

    assert (refused.code, refused.error_code) == (7, "USER-591")
    assert finished.code == 0
    assert (again.code, again.error_code) == (5, "USER-501")


async def test_a_registration_of_another_user_is_unknown(managed: Any) -> None:
    """Of the same organization, with the right id and the right credential."""
    mine, theirs, key = Keys(managed), Keys(managed, user="viewer"), new_key()
    id, options = begun(await mine.begin(by="owner"))
    swapped = await theirs.finish(id, key.create(options), by="owner")

    assert swapped.error_code == "USER-501"
    assert await theirs.listed() == []


async def test_a_key_belongs_to_one_user(managed: Any) -> None:
    """The same credential id is refused a second time, for every user (section 7.1, step 22)."""
    mine, theirs, key = Keys(managed), Keys(managed, user="viewer"), new_key()
    id, options = begun(await mine.begin())
    await mine.finish(id, key.create(options))
    for keys, by in ((mine, "self"), (theirs, "viewer")):
        id, options = begun(await keys.begin(by=by))
        refused = await keys.finish(id, key.create(options), by=by)

        assert (refused.code, refused.error_code) == (6, "USER-503")
    assert await theirs.listed() == []


async def test_a_registration_can_be_broken_off(managed: Any) -> None:
    """Removing what was only begun changes nothing of the user."""
    keys, key = Keys(managed), new_key()
    id, options = begun(await keys.begin())
    removed = await keys.remove(id)

    assert removed.body["details"]["sequence"] == "1"
    assert (await keys.finish(id, key.create(options))).error_code == "USER-501"


async def test_a_user_has_at_most_twenty_keys(managed: Any) -> None:
    """The twenty-first registration does not begin."""
    keys = Keys(managed)
    for number in range(20):
        id, options = begun(await keys.begin())
        assert (await keys.finish(id, new_key().create(options), name=f"key {number}")).code == 0

    assert (await keys.begin()).error_code == "USER-504"


async def test_a_service_user_has_no_keys(managed: Any) -> None:
    """A service user cannot touch an authenticator."""
    assert (await Keys(managed, user="robot").begin(by="owner")).error_code == "USER-506"


@pytest.mark.parametrize(("length", "code"), [(54, 3), (55, 0), (1_048_576, 0), (1_048_577, 3)])
async def test_the_size_of_a_credential_is_bounded(managed: Any, length: int, code: int) -> None:
    """55 to 1048576 characters of compact JSON: a right one as long as that is taken; 55 characters are judged (MG-14)."""
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
