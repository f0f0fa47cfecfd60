"""The form of a new user: one choice of how the user gets in, and nothing half created."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from google.rpc.error_details_pb2 import BadRequest
from portico_fakes.console_service import ISSUER, ConsoleService, holding, refusal

USER_API = "portico.user.v2.UserService"
PAGE = "/ui/console/orgs/o1/users/do/new"
CREATE = f"{USER_API}/AddHumanUser"
INVITE = f"{USER_API}/CreateInviteCode"
ADA = {"f.profile.firstName": "Ada", "f.profile.lastName": "Lovelace", "f.email.email": "ada@home.example"}
PROFILE = {"firstName": "Ada", "lastName": "Lovelace"}


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["ORG_OWNER"]} for one in ("user.read", "user.write")]
    user = {"userId": "u2", "state": "USER_STATE_ACTIVE", "human": {"profile": {"displayName": "Ada Lovelace"}}}
    console.provider.answers |= {
        "portico.management.v1.CallerService/ListMyPermissions": answering({"org": {"id": "o1"}, "permissions": held}),
        CREATE: answering({"userId": "u2"}),
        f"{USER_API}/GetUserByID": answering({"user": user}),
        f"{USER_API}/ListAuthenticationMethodTypes": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def send(browser: httpx.AsyncClient, **fields: str) -> httpx.Response:
    page = await browser.get(PAGE)
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    return await browser.post(PAGE, data={"csrf": csrf, **ADA, **fields}, headers={"Origin": ISSUER})


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


async def test_invitation_is_the_only_email(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The user is created with the code of the address in the answer instead of an email, and invited."""
    sent = await send(signed_in, how="invite")
    page = await signed_in.get(sent.headers["location"])

    assert calls(console, CREATE) == [
        {
            "profile": PROFILE,
            "email": {"email": "ada@home.example", "returnCode": {}},
            "organisation": {"orgId": "o1"},
        }
    ]
    assert calls(console, INVITE) == [{"userId": "u2", "sendCode": {}}]
    assert "Ada Lovelace was created and invited." in page.text


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"how": "verified"}, {"email": {"email": "ada@home.example", "isVerified": True}}),
        (
            {"how": "password", "f.password.password": "an owl", "f.password.changeRequired": "on"},
            {"email": {"email": "ada@home.example"}, "password": {"password": "an owl", "changeRequired": True}},
        ),
        (
            {"how": "password", "f.password.password": "an owl", "email_verified": "on"},
            {"email": {"email": "ada@home.example", "isVerified": True}, "password": {"password": "an owl"}},
        ),
        (
            {"how": "verified", "f.password.password": "left over", "f.username": "ada", "f.profile.preferredLanguage": "de"},
            {
                "email": {"email": "ada@home.example", "isVerified": True},
                "username": "ada",
                "profile": {**PROFILE, "preferredLanguage": "de"},
            },
        ),
    ],
)  # fmt: skip
async def test_choices_without_an_invitation(
    console: ConsoleService, signed_in: httpx.AsyncClient, fields: dict[str, str], sent: dict[str, Any]
) -> None:
    """A password counts only where it was chosen."""
    await send(signed_in, **fields)

    assert calls(console, CREATE) == [{"profile": PROFILE, "organisation": {"orgId": "o1"}, **sent}]
    assert calls(console, INVITE) == []


async def test_password_is_required_where_it_was_chosen(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    refused = await send(signed_in, how="password")

    assert (refused.status_code, calls(console, CREATE)) == (400, [])
    assert 'id="f-password-password-problem">Enter a password.<' in refused.text
    assert 'value="Lovelace"' in refused.text


async def test_errors_are_beside_the_fields(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Everything typed stays, except for the password, and the folded part is open."""
    answer = refusal("invalid_argument", 400, "USER-303", "Some fields have invalid values.")(
        {}, httpx.Request("POST", "/")
    )
    violation = BadRequest.FieldViolation(field="email.email", description="Invalid address.")
    detail = base64.b64encode(BadRequest(field_violations=[violation]).SerializeToString()).decode()
    body = answer.json()
    body["details"].append({"type": "google.rpc.BadRequest", "value": detail})
    console.provider.answers[CREATE] = lambda _fields, _request: httpx.Response(400, json=body)
    refused = await send(signed_in, **{"how": "password", "f.password.password": "an owl", "f.username": "ada"})

    assert 'id="f-email-email-problem">Invalid address.<' in refused.text
    assert 'id="how-password" name="how" value="password" checked' in refused.text
    assert '<details id="new-more" open>' in refused.text
    assert "an owl" not in refused.text


async def test_failed_invitation_is_shown_with_its_repetition(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The user exists: the page shows why the invitation failed, and its first action sends another one."""
    console.provider.answers[INVITE] = refusal("unavailable", 503, "USER-543", "No mail server is configured.")
    sent = await send(signed_in, how="invite")
    page = (await signed_in.get(sent.headers["location"])).text

    assert "The user was created, but the invitation was not sent. No mail server is configured." in page
    assert 'class="button" id="do-invite"' in page


IMPORT = "portico.management.v1.UserService/ImportHumanUsers"


@pytest.mark.parametrize(
    ("fields", "email"),
    [
        ({"how": "invite"}, {}),
        ({"how": "verified"}, {"isVerified": True}),
        ({"how": "password", "f.password.password": "an owl"}, {"sendCode": {}}),
    ],
)
async def test_user_with_one_name_is_imported(
    console: ConsoleService, signed_in: httpx.AsyncClient, fields: dict[str, str], email: dict[str, Any]
) -> None:
    """The same emails are sent as for other users, whom `AddHumanUser` creates; a row cannot return a code."""
    created = {"outcome": "IMPORT_OUTCOME_CREATED", "userId": "u2"}
    console.provider.answers[IMPORT] = answering({"result": [created]})
    form = (await signed_in.get(PAGE)).text
    sent = await send(signed_in, **{**fields, "f.profile.lastName": ""})
    [asked] = calls(console, IMPORT)
    [row] = [json.loads(one) for one in asked["rows"]]

    assert " required" not in form.partition('id="f-profile-lastName"')[2].partition(">")[0]
    assert (row["profile"], row["email"]) == ({"firstName": "Ada"}, {"email": "ada@home.example", **email})
    assert sent.headers["location"].startswith("/ui/console/orgs/o1/users/u2?")
    assert calls(console, CREATE) == []
    assert bool(calls(console, INVITE)) == (fields["how"] == "invite")


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (
            {"outcome": "IMPORT_OUTCOME_REFUSED", "problems": [{"field": "email.email", "text": "Invalid address."}]},
            'id="f-email-email-problem">Invalid address.<',
        ),
        ({"outcome": "IMPORT_OUTCOME_EXISTS", "userId": "u2"}, 'id="f-email-email-problem">This user exists already.<'),
        ({"outcome": "IMPORT_OUTCOME_REFUSED", "problems": [{"id": "USER-840", "text": "Other data."}]}, "Other data."),
    ],
)
async def test_refused_user_with_one_name_is_shown_in_the_form(
    console: ConsoleService, signed_in: httpx.AsyncClient, result: dict[str, Any], shown: str
) -> None:
    console.provider.answers[IMPORT] = answering({"result": [result]})
    refused = await send(signed_in, **{"how": "verified", "f.profile.lastName": ""})

    assert refused.status_code == 400
    assert shown in refused.text


@pytest.mark.parametrize(
    ("first", "offered"), [({}, True), ({"firstFactors": {"types": ["FIRST_FACTOR_TYPE_PASSKEY"]}}, False)]
)
async def test_password_is_offered_where_passwords_are_used(
    console: ConsoleService, signed_in: httpx.AsyncClient, *, first: dict[str, Any], offered: bool
) -> None:
    console.provider.answers["portico.management.v1.CallerService/ListMyPermissions"] = holding(
        "user.write", "policy.read"
    )
    console.provider.answers["portico.management.v1.PolicyService/GetLoginPolicy"] = answering({"policy": first})

    assert ('id="how-password"' in (await signed_in.get(PAGE)).text) is offered
