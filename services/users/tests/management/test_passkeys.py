from __future__ import annotations

import asyncio
import re
import secrets
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_fakes.soft_authenticator import AT, UP, UV, SoftAuthenticator, Wrong

pytestmark = pytest.mark.servers

_OF = "portico.user.v2.UserService"
ORIGIN = "http://localhost:8080"
TEMPLATE = "https://app.example/key?user={{.UserID}}&id={{.CodeID}}&code={{.Code}}"


class Passkeys:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.user_id = f"self-{managed.tag}"

    async def begin(self, *, by: str = "self", **body: Any) -> ApiResponse:
        return await self._call("RegisterPasskey", body, by, "/passkeys")

    async def finish(self, id: str, credential: Any, *, by: str = "self") -> ApiResponse:
        body = {"publicKeyCredential": credential, "passkeyName": "Phone"}
        return await self._call("VerifyPasskeyRegistration", body, by, f"/passkeys/{id}")

    async def link(self, *, by: str = "owner", **body: Any) -> ApiResponse:
        return await self._call("CreatePasskeyRegistrationLink", body, by, "/passkeys/registration_link")

    async def listed(self, *, by: str = "self") -> list[dict[str, Any]]:
        answered = await self._call("ListPasskeys", {}, by, "/passkeys/_search")
        return list(answered.body.get("result", []))

    async def remove(self, id: str) -> ApiResponse:
        return await self._call("RemovePasskey", {}, "self", f"/passkeys/{id}")

    async def rename(self, id: str, name: str) -> ApiResponse:
        return await self._call("RenamePasskey", {"passkeyName": name}, "self", f"/passkeys/{id}")

    async def returned_code(self) -> dict[str, str]:
        answered = await self.link(returnCode={})
        assert answered.code == 0, answered.body
        code: dict[str, str] = answered.body["code"]
        return code

    async def _call(self, name: str, body: Any, by: str, path: str) -> ApiResponse:
        return await call_as(self.managed, f"{_OF}.{name}", body, by=by, path=f"/v2/users/{self.user_id}{path}")


def begun(answered: ApiResponse) -> tuple[str, dict[str, Any]]:
    assert answered.code == 0, answered.body
    return answered.body["passkeyId"], answered.body["publicKeyCredentialCreationOptions"]


def new_key(flags: int = UP | UV) -> SoftAuthenticator:
    """An authenticator with user verification."""
    return SoftAuthenticator(secrets.token_bytes, ORIGIN, flags=flags)


async def test_passkey_is_registered_listed_and_removed(managed: Any) -> None:
    """The options require a resident key and user verification; a passkey is not a second factor."""
    passkeys, key = Passkeys(managed), new_key()
    id, options = begun(await passkeys.begin(authenticator="PASSKEY_AUTHENTICATOR_PLATFORM"))
    done = await passkeys.finish(id, key.create(options))
    listed = await passkeys.listed()
    removed = await passkeys.remove(id)

    assert done.code == 0, done.body
    assert options["publicKey"]["authenticatorSelection"] == {
        "authenticatorAttachment": "platform",
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "required",
    }
    assert listed == [
        {
            "id": id,
            "state": "AUTH_FACTOR_STATE_READY",
            "name": "Phone",
            "creationDate": managed.users.moment(0).replace("+00:00", "Z"),
        }
    ]
    assert removed.code == 0
    assert await passkeys.listed() == []


async def test_non_resident_key_is_listed_as_a_security_key(managed: Any) -> None:
    """Otherwise the account would expect a passkey that no browser offers."""
    passkeys = Passkeys(managed)
    kept_elsewhere = Wrong(credential=lambda right: {**right, "clientExtensionResults": {"credProps": {"rk": False}}})
    id, options = begun(await passkeys.begin())
    done = await passkeys.finish(id, new_key().create(options, kept_elsewhere))
    [user] = await managed.users.rows("users", _id=passkeys.user_id)

    assert done.code == 0, done.body
    assert await passkeys.listed() == []
    assert [key["passkey"] for key in user["securityKeys"]] == [False]


async def test_passkey_without_a_name_gets_one(managed: Any) -> None:
    """The software authenticator hides its model, so the name is that of the kind."""
    passkeys = Passkeys(managed)
    id, options = begun(await passkeys.begin())
    body = {"publicKeyCredential": new_key().create(options)}
    path = f"/v2/users/{passkeys.user_id}/passkeys/{id}"
    done = await call_as(managed, f"{_OF}.VerifyPasskeyRegistration", body, by="self", path=path)

    assert done.code == 0, done.body
    assert [one["name"] for one in await passkeys.listed()] == ["Passkey"]


async def test_passkey_is_renamed(managed: Any) -> None:
    """Only the owner can rename it; an unchanged name, an unknown id, another kind and an empty name are refused."""
    passkeys, key = Passkeys(managed), new_key()
    id, options = begun(await passkeys.begin())
    await passkeys.finish(id, key.create(options))

    renamed = await passkeys.rename(id, "Laptop")
    refused = [
        await passkeys.rename(id, "Laptop"),
        await passkeys.rename("none", "Laptop"),
        await passkeys.rename(id, ""),
    ]
    path = f"/v2/users/{passkeys.user_id}/u2f/{id}"
    other_kind = await call_as(managed, f"{_OF}.RenameU2F", {"tokenName": "Key"}, by="self", path=path)

    assert renamed.code == 0
    assert [one["name"] for one in await passkeys.listed()] == ["Laptop"]
    assert [one.code for one in refused] == [9, 5, 3]
    assert other_kind.error_code == "USER-501"


async def test_passkey_requires_user_verification(managed: Any) -> None:
    """A credential without the UV flag is refused with code 3 (LG-17)."""
    passkeys, key = Passkeys(managed), new_key()
    id, options = begun(await passkeys.begin())
    unverified = Wrong(auth=lambda auth: auth[:32] + bytes([UP | AT]) + auth[33:])

    assert (await passkeys.finish(id, key.create(options, unverified))).error_code == "USER-502"


async def test_registration_is_bound_to_its_kind(managed: Any) -> None:
    """A passkey registration can be neither finished nor removed as a second factor."""
    passkeys, key = Passkeys(managed), new_key()
    id, options = begun(await passkeys.begin())
    path, token = f"/v2/users/{passkeys.user_id}/u2f/{id}", managed.tokens["self"]
    body = {"publicKeyCredential": key.create(options), "tokenName": "x"}
    finished = await managed.api.json(f"{_OF}.VerifyU2FRegistration", body, token=token, path=path)
    pending = await managed.api.json(f"{_OF}.RemoveU2F", {}, token=token, path=path)
    await passkeys.finish(id, key.create(options))
    removed = await managed.api.json(f"{_OF}.RemoveU2F", {}, token=token, path=path)

    assert [answered.error_code for answered in (finished, pending, removed)] == ["USER-501"] * 3
    assert len(await passkeys.listed()) == 1


async def test_code_lets_another_user_register_one_passkey(managed: Any) -> None:
    """Another user may register one passkey only with a code; the event has the editor."""
    passkeys, key = Passkeys(managed), new_key()
    code = await passkeys.returned_code()
    without = await passkeys.begin(by="robot")
    id, options = begun(await passkeys.begin(by="robot", code=code))
    done = await passkeys.finish(id, key.create(options), by="robot")
    again = await passkeys.begin(by="robot", code=code)
    [event] = await managed.users.rows("events", object=passkeys.user_id, sequence=2)

    assert (without.code, again.code) == (7, 7)
    assert done.code == 0, done.body
    assert event["actor"] == f"robot-{managed.tag}"
    assert len(await passkeys.listed()) == 1


async def test_link_registers_one_passkey(managed: Any) -> None:
    """Other registrations started with the link fail once it is used up."""
    passkeys = Passkeys(managed)
    code = await passkeys.returned_code()
    started = [begun(await passkeys.begin(by="robot", code=code)) for _ in range(3)]
    made = [(id, new_key().create(options)) for id, options in started]
    answers = await asyncio.gather(*(passkeys.finish(id, credential, by="robot") for id, credential in made))

    assert sorted(answer.code == 0 for answer in answers) == [False, False, True]
    assert {answer.code for answer in answers} <= {0, 3, 9}
    assert len(await passkeys.listed()) == 1


async def test_wrong_code_reveals_nothing(managed: Any) -> None:
    """A wrong code gives the response for an unknown link; after ten guesses the right one is refused too (LG-07)."""
    passkeys = Passkeys(managed)
    code = await passkeys.returned_code()
    wrong = {**code, "code": "A" * 12}
    strangers = [await passkeys.begin(by="foreign", code=wrong) for _ in range(10)]
    right = await passkeys.begin(by="robot", code=code)
    own = await passkeys.begin(by="self", code=code)

    assert {(answered.code, answered.error_code) for answered in strangers} == {(5, "USER-315")}
    assert right.code == 7
    assert (own.code, own.error_code, own.fields) == (3, "USER-541", ["code"])


@pytest.mark.parametrize("seconds", [3_600, -11])
async def test_link_expires_after_an_hour(managed: Any, seconds: int) -> None:
    """A link is valid for one user only, and not if the clock was set back before its issue (FD-14)."""
    passkeys = Passkeys(managed)
    code = await passkeys.returned_code()
    path = f"/v2/users/viewer-{managed.tag}/passkeys"
    other = await call_as(managed, f"{_OF}.RegisterPasskey", {"code": code}, by="robot", path=path)
    managed.users.clock.tick(seconds)

    assert other.code == 7
    assert (await passkeys.begin(by="robot", code=code)).code == 7


async def test_link_is_emailed(managed: Any) -> None:
    """The email to the user's address has the values of the template; the response has none of them."""
    passkeys = Passkeys(managed)
    answered = await passkeys.link(sendLink={"urlTemplate": TEMPLATE})
    [mail] = await managed.users.mails_to(f"self-{managed.tag}@people.example")
    found = re.search(r"user=(\S+)&id=(\w+)&code=(\w{12})", mail.get_body(("plain",)).get_content())
    assert found is not None
    code = {"id": found[2], "code": found[3]}

    assert answered.code == 0, answered.body
    assert "code" not in answered.body
    assert found[1] == passkeys.user_id
    assert (await passkeys.begin(by="robot", code=code)).code == 0


@pytest.mark.parametrize(
    ("template", "error_code"),
    [
        ("https://app.example/?code={{.Code}}", "USER-542"),
        ("https://app.example/?id={{.CodeID}}", "USER-542"),
        ("http://app.example/?id={{.CodeID}}&code={{.Code}}", "USER-331"),
        ("https://app.example/?id={{.CodeID}}&code={{.Code}}{{.Other}}", "USER-331"),
        ("javascript:alert({{.CodeID}}{{.Code}})", "USER-331"),
    ],
)
async def test_invalid_template_is_refused(managed: Any, template: str, error_code: str) -> None:
    """No email is sent, and the error has the field (HH-06)."""
    refused = await Passkeys(managed).link(sendLink={"urlTemplate": template})

    assert (refused.code, refused.error_code, refused.fields) == (3, error_code, ["sendLink.urlTemplate"])
    assert await managed.users.rows("passkeyLinks", userId=f"self-{managed.tag}") == []
