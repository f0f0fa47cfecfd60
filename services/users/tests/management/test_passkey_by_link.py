from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_LINK,
    FINISH_PASSKEY_BY_LINK,
    BeginPasskeyByLink,
    FinishPasskeyByLink,
)
from portico_fakes.management_api import call_as
from portico_fakes.soft_authenticator import Wrong
from portico_oauth.errors import ServiceError

from .test_passkeys import Passkeys, begun, new_key

pytestmark = pytest.mark.servers

HOUR = 3_600.0


class Page(Passkeys):
    async def options(self, code: dict[str, str], user_id: str = "") -> tuple[str, dict[str, Any]]:
        ask = BeginPasskeyByLink(user_id=user_id or self.user_id, code_id=code["id"], code=code["code"])
        begun = await self.managed.users.call(BEGIN_PASSKEY_BY_LINK, ask)
        return begun.passkey_id, json.loads(begun.options)

    async def made(self, code: dict[str, str], passkey_id: str, credential: Any, user_id: str = "") -> None:
        ask = FinishPasskeyByLink(
            user_id=user_id or self.user_id,
            code_id=code["id"],
            code=code["code"],
            passkey_id=passkey_id,
            credential=credential if isinstance(credential, str) else json.dumps(credential),
        )
        await self.managed.users.call(FINISH_PASSKEY_BY_LINK, ask)

    async def emailed_to(self, mail: str) -> str:
        message = (await self.managed.users.mails_to(mail))[-1]
        text = message.get_body(("plain",)).get_content()
        [address] = [word for word in text.split() if word.startswith("http") and "code=" in word]
        return str(address)


@pytest.fixture
async def page(managed: Any) -> Page:
    return Page(managed)


async def test_default_link_opens_the_issuers_page(managed: Any, page: Page) -> None:
    """In both APIs the default link has the issuer's host (HH-01), and its code registers one passkey."""
    older = "/management/v1/users/" + page.user_id + "/passwordless/_link"
    name = "portico.management.v1.UserService.AddPasswordlessRegistration"
    answered = await call_as(managed, name, {}, path=older)
    assert (await page.link(sendLink={})).code == 0
    mailed = await page.emailed_to(f"self-{managed.tag}@people.example")
    for address in (answered.body["link"], mailed):
        parts = urlsplit(address)
        link = {member: values[0] for member, values in parse_qs(parts.query).items()}
        code = {"id": link["codeID"], "code": link["code"]}
        id, options = await page.options(code, link["userID"])
        await page.made(code, id, new_key().create(options), link["userID"])
        assert f"{parts.scheme}://{parts.netloc}" == "http://localhost:8080"
        assert parts.path == REGISTER_PASSKEY_PAGE

    assert [key["name"] for key in await page.listed()] == ["Passkey", "Passkey"]


async def test_unnamed_passkey_has_the_name_of_its_authenticator(managed: Any, page: Page) -> None:
    """The API returns the authenticator too, which stays when the passkey is renamed."""
    code, key = await page.returned_code(), new_key()
    key.aaguid = UUID("bada5566-a7aa-401f-bd96-45619a55120d").bytes
    id, options = await page.options(code)
    await page.made(code, id, key.create(options))
    unnamed = await page.listed()
    await page.rename(id, "Work")

    assert [(one["name"], one["authenticator"]) for one in unnamed] == [("1Password", "1Password")]
    assert [(one["name"], one["authenticator"]) for one in await page.listed()] == [("Work", "1Password")]


async def test_link_works_once(page: Page) -> None:
    """Of two registrations started with a link, even concurrently, one is completed."""
    code = await page.returned_code()
    started = [await page.options(code) for _ in range(2)]
    keys = [(id, new_key().create(options)) for id, options in started]
    done = await asyncio.gather(*(page.made(code, *key) for key in keys), return_exceptions=True)
    [refused] = [one for one in done if isinstance(one, ServiceError)]

    assert refused.id in ("USER-541", "USER-012")
    assert len(await page.listed()) == 1
    with pytest.raises(ServiceError, match="USER-541"):
        await page.options(code)


@pytest.mark.parametrize("wrong", ["code", "id", "user", "nobody"])
async def test_another_code_or_user_is_refused(managed: Any, page: Page, wrong: str) -> None:
    """A wrong code and another user are refused alike, at the start and at the end (LG-01)."""
    right = await page.returned_code()
    id, options = await page.options(right)
    credential = new_key().create(options)
    code = right | ({"code": "A" * 12} if wrong == "code" else {"id": "none"} if wrong == "id" else {})
    users = {"user": f"viewer-{managed.tag}", "nobody": "nobody"}
    with pytest.raises(ServiceError, match="USER-541"):
        await page.options(code, users.get(wrong, ""))
    with pytest.raises(ServiceError, match="USER-541"):
        await page.made(code, id, credential, users.get(wrong, ""))

    await page.made(right, id, credential)
    assert len(await page.listed()) == 1


async def test_link_expires_after_an_hour(managed: Any, page: Page) -> None:
    """A link that expires also ends a pending registration."""
    code = await page.returned_code()
    managed.users.clock.tick(HOUR - 1)
    id, options = await page.options(code)
    managed.users.clock.tick(1)

    with pytest.raises(ServiceError, match="USER-541"):
        await page.made(code, id, new_key().create(options))
    assert await page.listed() == []


async def test_code_allows_ten_guesses(page: Page) -> None:
    """After ten guesses the right code is refused like a wrong one (LG-07)."""
    code = await page.returned_code()
    for _ in range(10):
        with pytest.raises(ServiceError, match="USER-541"):
            await page.options(code | {"code": "B" * 12})

    with pytest.raises(ServiceError, match="USER-541"):
        await page.options(code)


async def test_inactive_user_cannot_register_a_passkey(managed: Any, page: Page) -> None:
    """A link sent before the deactivation becomes invalid."""
    code = await page.returned_code()
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": page.user_id}, {"$set": {"state": "locked"}})

    with pytest.raises(ServiceError, match="USER-541"):
        await page.options(code)


async def test_registration_is_bound_to_its_link(page: Page) -> None:
    """A registration started without a link, or with another one, cannot be finished here, and no link is used up."""
    first, second = await page.returned_code(), await page.returned_code()
    by_api = begun(await page.begin())
    by_first = await page.options(first)
    for id, options in (by_api, by_first):
        with pytest.raises(ServiceError, match="USER-501"):
            await page.made(second, id, new_key().create(options))

    id, options = await page.options(second)
    await page.made(second, id, new_key().create(options))
    assert len(await page.listed()) == 1


@pytest.mark.parametrize("credential", ["", "[]", "{}", "[" * 9_000, '{"response": {}}'])
async def test_invalid_credential_uses_up_the_registration(page: Page, credential: str) -> None:
    """The link stays valid after an invalid credential (LG-19)."""
    code = await page.returned_code()
    id, options = await page.options(code)
    with pytest.raises(ServiceError, match="USER-502"):
        await page.made(code, id, credential)
    with pytest.raises(ServiceError, match="USER-501"):
        await page.made(code, id, new_key().create(options))

    id, options = await page.options(code)
    await page.made(code, id, new_key().create(options))
    assert len(await page.listed()) == 1


async def test_link_refuses_security_keys(page: Page) -> None:
    """An authenticator without passkeys is refused, because the page confirms a passkey; the link stays valid."""
    code = await page.returned_code()
    kept_elsewhere = Wrong(credential=lambda right: {**right, "clientExtensionResults": {"credProps": {"rk": False}}})
    id, options = await page.options(code)
    with pytest.raises(ServiceError, match="USER-502"):
        await page.made(code, id, new_key().create(options, kept_elsewhere))
    id, options = await page.options(code)
    await page.made(code, id, new_key().create(options))

    assert len(await page.listed()) == 1
