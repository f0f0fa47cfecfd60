"""Managers of one organization cannot use names and addresses to prevent another user's sign-in (decision 0028)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
OLDER = "portico.management.v1.UserService"
HERS, THEIRS = "correct horse battery", "nine small sparrows"


async def do(managed: Any, method: str, user: str, tail: str, *, by: str = "foreign", **body: Any) -> ApiResponse:
    path = f"/v2/users/{user}-{managed.tag}/{tail}"
    return await call_as(managed, f"{USER}.{method}", body, by=by, path=path)


async def add_victim(managed: Any, *, proven: bool, mail: str = "") -> str:
    mail = mail or managed.users.mail("vera")
    email = {"email": mail} if proven else {"email": mail, "isVerified": True}
    body = managed.new_human("vera", username=f"vera-{managed.tag}", email=email, password={"password": HERS})
    assert (await managed.add(body)).code == 0
    if proven:
        [message] = await managed.users.mails_to(mail)
        found = re.search(r"^ {4}([A-Z2-9]{6})$", str(message.get_body(("plain",)).get_content()), re.MULTILINE)
        assert found is not None
        assert (
            await do(managed, "VerifyEmail", "vera", "email/verify", by="owner", verificationCode=found[1])
        ).code == 0
    return str(mail)


async def add_attacker(managed: Any, *, by: str = "foreign", **members: Any) -> ApiResponse:
    response: ApiResponse = await managed.add(
        managed.new_human("mallory", password={"password": THEIRS}, **members), by=by
    )
    return response


async def signs_in(managed: Any, typed: str, password: str = HERS) -> str:
    user = (await managed.users.try_password(typed, password)).user
    return user.user_id.removesuffix(f"-{managed.tag}") if user else ""


@pytest.mark.parametrize("named", ["username", "address as name", "another spelling"])
async def test_proven_address_as_name_is_refused_as_taken(managed: Any, named: str) -> None:
    """Code, id and text equal those for a taken user name, and the owner of the address signs in as before (P9)."""
    mail = await add_victim(managed, proven=True)
    bodies: dict[str, dict[str, Any]] = {
        "username": {"username": mail},
        "address as name": {"email": {"email": mail}},
        "another spelling": {"username": mail.upper()},
    }
    refused = await add_attacker(managed, **bodies[named])
    taken = await add_attacker(managed, username=f"vera-{managed.tag}")

    assert (refused.code, refused.error_code) == (6, "USER-011")
    assert refused == taken
    assert await signs_in(managed, mail) == "vera"
    assert await signs_in(managed, mail, THEIRS) == ""


async def test_asserted_address_elsewhere_is_refused_as_taken(managed: Any) -> None:
    """Users imported by another organization sign in with that address, and must be able to continue (decision
    0028).
    """
    mail = await add_victim(managed, proven=False)
    refused = await add_attacker(managed, username=mail)
    taken = await add_attacker(managed, username=f"vera-{managed.tag}")
    in_her_own = await add_attacker(managed, by="owner", username=mail)

    assert (refused.code, refused.error_code) == (6, "USER-011")
    assert refused == taken
    assert in_her_own.code == 0


async def test_asserted_address_does_not_block_own_domain(managed: Any) -> None:
    """A manager of another organization cannot block names in an organization's domain by asserting addresses in it."""
    domain = managed.domain(managed.org_id)
    mail = f"mallory-{managed.tag}@{domain}"
    added = await add_attacker(managed, username=f"x-{managed.tag}", email={"email": mail, "isVerified": True})
    named = managed.new_human("vera", username=mail, password={"password": HERS})

    assert added.code == 0
    assert (await managed.add(named)).code == 0
    assert await signs_in(managed, mail) == "vera"


@pytest.mark.parametrize("method", ["UpdateHumanUser", "UpdateUserName", "AddMachineUser"])
async def test_no_operation_accepts_a_proven_address_as_name(managed: Any, method: str) -> None:
    """Neither renaming, in both API versions, nor a service user can take it."""
    mail = await add_victim(managed, proven=True)
    assert (await add_attacker(managed)).code == 0
    token, mallory = managed.tokens["foreign"], f"mallory-{managed.tag}"
    calls = {
        "UpdateHumanUser": (f"{USER}.UpdateHumanUser", {"username": mail}, f"/v2/users/human/{mallory}"),
        "UpdateUserName": (
            f"{OLDER}.UpdateUserName",
            {"userName": mail},
            f"/management/v1/users/{mallory}/username",
        ),
        "AddMachineUser": (
            "portico.management.v1.ServiceUserService.AddMachineUser",
            {"userName": mail, "name": "Robot"},
            "/management/v1/users/machine",
        ),
    }
    name, body, path = calls[method]
    response = await managed.api.json(name, body, token=token, path=path)

    assert (response.code, response.error_code) == (6, "USER-011"), response.body
    assert await signs_in(managed, mail) == "vera"


async def test_owner_may_use_the_address_as_user_name(managed: Any) -> None:
    """The address is refused as a user name only for others."""
    mail = await add_victim(managed, proven=True)
    renamed = await call_as(
        managed, f"{USER}.UpdateHumanUser", {"username": mail}, path=f"/v2/users/human/vera-{managed.tag}"
    )

    assert renamed.code == 0, renamed.body
    assert await signs_in(managed, mail) == "vera"


async def test_is_unique_reveals_no_more_than_creation(managed: Any) -> None:
    """A caller who may create users learns about a proven address only what a taken name would reveal."""
    mail = await add_victim(managed, proven=True)
    token = managed.tokens["foreign"]
    response = [
        await managed.api.json(f"{OLDER}.IsUserUnique", {"userName": name}, token=token)
        for name in (mail, f"vera-{managed.tag}", managed.users.mail("nobody"))
    ]

    assert [one.body.get("isUnique", False) for one in response] == [False, False, True]


@pytest.mark.parametrize("way", ["created", "set", "returned code"])
async def test_asserted_address_takes_no_identifier(managed: Any, way: str) -> None:
    """An asserted address, or a code that an administrator read, does not outrank the user who proved the address."""
    mail = await add_victim(managed, proven=True)
    if way == "created":
        name = f"mallory-{managed.tag}"
        assert (await add_attacker(managed, username=name, email={"email": mail, "isVerified": True})).code == 0
    else:
        assert (await add_attacker(managed, username=f"mallory-{managed.tag}")).code == 0
        choice: dict[str, Any] = {"isVerified": True} if way == "set" else {"returnCode": {}}
        response = await do(managed, "SetEmail", "mallory", "email", email=mail, **choice)
        if code := response.body.get("verificationCode"):
            assert (await do(managed, "VerifyEmail", "mallory", "email/verify", verificationCode=code)).code == 0

    assert await signs_in(managed, mail) == "vera"
    assert await signs_in(managed, mail, THEIRS) == ""
    assert await signs_in(managed, f"mallory-{managed.tag}", THEIRS) == "mallory"


async def test_returned_code_does_not_outrank_a_later_proof(managed: Any) -> None:
    """A code returned to a caller does not prove the address: the first emailed code takes precedence."""
    mail = managed.users.mail("vera")
    assert (await add_attacker(managed)).code == 0
    response = await do(managed, "SetEmail", "mallory", "email", email=mail, returnCode={})
    code = response.body["verificationCode"]
    assert (await do(managed, "VerifyEmail", "mallory", "email/verify", verificationCode=code)).code == 0
    managed.users.clock.tick(60)
    await add_victim(managed, proven=True)

    assert await signs_in(managed, mail) == "vera"


async def test_asserting_a_proven_address_keeps_its_proof(managed: Any) -> None:
    """A manager who marks a proven address as verified again does not weaken its proof."""
    mail = await add_victim(managed, proven=True)
    again = await do(managed, "SetEmail", "vera", "email", by="owner", email=mail, isVerified=True)
    name = f"mallory-{managed.tag}"
    assert (await add_attacker(managed, username=name, email={"email": mail, "isVerified": True})).code == 0

    assert again.code == 0
    assert await signs_in(managed, mail) == "vera"


async def test_earlier_user_name_does_not_outrank_a_proof(managed: Any) -> None:
    """A user named like an address loses the identifier to the user who proves it, and uses the qualified name."""
    mail = managed.users.mail("vera")
    assert (await add_attacker(managed, username=mail)).code == 0
    before = await signs_in(managed, mail, THEIRS)
    await add_victim(managed, proven=True)

    assert before == "mallory"
    assert await signs_in(managed, mail) == "vera"
    assert await signs_in(managed, f"{mail}@{managed.domain(managed.other_org_id)}", THEIRS) == "mallory"


async def test_user_name_does_not_take_a_qualified_name(managed: Any) -> None:
    """A user named like another user's qualified name, or with it as address, does not get that identifier."""
    await add_victim(managed, proven=False)
    qualified = f"vera-{managed.tag}@{managed.domain(managed.org_id)}"
    assert (await add_attacker(managed, by="owner", username=qualified)).code == 0
    assert (await do(managed, "SetEmail", "mallory", "email", by="owner", email=qualified, isVerified=True)).code == 0

    assert await signs_in(managed, qualified) == "vera"
    assert await signs_in(managed, qualified, THEIRS) == ""


@pytest.mark.parametrize("proven", [True, False])
async def test_qualified_name_does_not_take_an_address(managed: Any, proven: bool) -> None:
    """A name whose qualified name is the address of another user of the domain is refused like a taken one."""
    local = f"v-{managed.tag}"
    mail = await add_victim(managed, proven=proven, mail=f"{local}@{managed.domain(managed.org_id)}")
    refused = await add_attacker(managed, by="owner", username=local)

    assert (refused.code, refused.error_code) == (6, "USER-011")
    assert await signs_in(managed, mail) == "vera"


async def test_reset_link_is_sent_to_the_proven_owner(managed: Any) -> None:
    """An identifier resolves to the same account for a password reset as for a sign-in."""
    mail = await add_victim(managed, proven=True)
    name = f"mallory-{managed.tag}"
    assert (await add_attacker(managed, username=name, email={"email": mail, "isVerified": True})).code == 0
    account = await managed.users.service.messages.accounts.find_account(mail, "")

    assert account is not None
    assert account.user.id == f"vera-{managed.tag}"
