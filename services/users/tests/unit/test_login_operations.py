"""Own login pages with ZITADEL's messages: what authz is asked, and what the pages get (decision 0107)."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from google.protobuf.json_format import MessageToDict
from portico_contracts.login_sessions import (
    CheckLogin,
    EndLogin,
    FindLoginSessions,
    FinishLogin,
    GetLoginRequest,
    LoginChallenges,
    LoginChecks,
    LoginRequest,
)
from portico_fakes.login_authz import EMPTY
from portico_oauth.errors import ServiceError

from .login_client import LoginClient

OPTIONS: Final = {"challenge": "Y2g", "rpId": "login.example", "timeout": 60000, "allowCredentials": [{"id": "AA"}]}


@pytest.fixture
def client() -> LoginClient:
    return LoginClient()


async def test_each_check_is_sent_to_authz(client: LoginClient) -> None:
    credential = {"id": "AA", "response": {"signature": "Zm9v"}, "n": [1, True, None]}
    checks = {
        "user": {"loginName": "ada"},
        "password": {"password": "pw"},
        "webAuthN": {"credentialAssertionData": credential},
        "totp": {"code": "123456"},
        "otpSms": {"code": "222222"},
        "otpEmail": {"code": "333333"},
    }
    await client.call("CreateSession", {"checks": checks})
    await client.call("CreateSession", {"checks": {"user": {"userId": "u1"}}})
    sent = client.authz.asked[0].checks

    assert json.loads(sent.credential) == credential
    assert client.authz.asked[0] == CheckLogin(
        actor="robot",
        checks=LoginChecks(
            login_name="ada",
            password="pw",
            credential=sent.credential,
            totp="123456",
            otp_sms="222222",
            otp_email="333333",
        ),
    )
    assert client.authz.asked[1].checks == LoginChecks(user_id="u1")


async def test_values_of_a_session_are_sent_to_authz(client: LoginClient) -> None:
    agent = {"fingerprintId": "f", "ip": "192.0.2.7", "description": "d", "header": {"accept": {"values": ["a", "b"]}}}
    values = {"metadata": {"shop": "Ym9va3M=", "gone": ""}, "lifetime": "90.500s"}
    await client.call("CreateSession", {**values, "userAgent": agent})
    await client.call("SetSession", {"sessionId": "s1", "sessionToken": "old", **values})
    created, changed = client.authz.asked

    assert (created.metadata, created.lifetime) == ({"shop": "Ym9va3M=", "gone": ""}, 90.5)
    assert json.loads(created.user_agent) == agent
    assert changed == CheckLogin(actor="robot", session_id="s1", metadata=created.metadata, lifetime=90.5)


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ({}, LoginChallenges()),
        ({"otpSms": {}}, LoginChallenges(otp_sms=True)),
        ({"otpSms": {"returnCode": False}}, LoginChallenges(otp_sms=True)),
        ({"otpEmail": {}}, LoginChallenges(otp_email=True)),
        ({"otpEmail": {"sendCode": {}}}, LoginChallenges(otp_email=True)),
        ({"webAuthN": {"domain": "a.example"}}, LoginChallenges(domain="a.example")),
        (
            {
                "webAuthN": {
                    "domain": "a.example",
                    "userVerificationRequirement": "USER_VERIFICATION_REQUIREMENT_REQUIRED",
                }
            },
            LoginChallenges(domain="a.example", user_verification=True),
        ),
        (
            {
                "webAuthN": {
                    "domain": "a.example",
                    "userVerificationRequirement": "USER_VERIFICATION_REQUIREMENT_PREFERRED",
                }
            },
            LoginChallenges(domain="a.example"),
        ),
    ],
)
async def test_each_challenge_is_sent_to_authz(
    client: LoginClient, asked: dict[str, Any], sent: LoginChallenges
) -> None:
    await client.call("CreateSession", {"challenges": asked})

    assert client.authz.asked[0].challenges == sent


async def test_response_has_token_details_and_challenge(client: LoginClient) -> None:
    """The options are what ``navigator.credentials.get()`` accepts; without a user the owner is the caller's."""
    client.authz.options = json.dumps(OPTIONS)
    created = await client.call("CreateSession", {})
    changed = await client.call("SetSession", {"sessionId": "s1"})
    client.authz.options, client.authz.sessions = "", (EMPTY,)
    plain = await client.call("CreateSession", {})

    details = {"sequence": "7", "changeDate": "2023-11-14T22:13:21.500Z", "resourceOwner": "acme"}
    challenges = {"webAuthN": {"publicKeyCredentialRequestOptions": {"publicKey": OPTIONS}}}
    assert created == {"details": details, "sessionId": "s1", "sessionToken": "t1", "challenges": challenges}
    assert changed == {"details": details, "sessionToken": "t1", "challenges": challenges}
    assert plain["details"] == {"sequence": "1", "changeDate": "1970-01-01T00:00:01Z", "resourceOwner": "home"}
    assert "challenges" not in plain


async def test_session_has_the_times_of_its_factors(client: LoginClient) -> None:
    """A factor that was not verified is absent."""
    found = (await client.call("GetSession", {"sessionId": "s1", "sessionToken": "t"}))["session"]
    empty = (await client.call("GetSession", {"sessionId": "s2"}))["session"]

    assert found == {
        "id": "s1",
        "creationDate": "2023-11-14T22:13:20Z",
        "changeDate": "2023-11-14T22:13:21.500Z",
        "sequence": "7",
        "factors": {
            "user": {
                "verifiedAt": "2023-11-14T22:13:20Z",
                "id": "ada",
                "loginName": "ada@acme.example",
                "displayName": "Ada Byron",
                "organizationId": "acme",
            },
            "password": {"verifiedAt": "2023-11-14T22:13:22Z"},
            "webAuthN": {"verifiedAt": "2023-11-14T22:13:23Z", "userVerified": True},
            "totp": {"verifiedAt": "2023-11-14T22:13:24Z"},
            "otpSms": {"verifiedAt": "2023-11-14T22:13:25Z"},
            "otpEmail": {"verifiedAt": "2023-11-14T22:13:26Z"},
        },
        "metadata": {"shop": "Ym9va3M="},
        "userAgent": {"ip": "192.0.2.7", "header": {"accept": {"values": ["a", "b"]}}},
        "expirationDate": "2023-11-14T23:13:20Z",
    }
    assert empty.keys() == {"id", "creationDate", "changeDate", "sequence", "expirationDate"}
    assert client.authz.asked[0] == FindLoginSessions(actor="robot", session_ids=("s1",))


@pytest.mark.parametrize(
    ("queries", "asked"),
    [
        ([["s1", "s2", "s1"]], ("s1", "s2")),
        ([["s1", "s2"], ["s2", "s3"]], ("s2",)),
        ([["s1"], ["s2"]], None),
        ([["s1"], []], None),
    ],
)
async def test_sessions_are_listed_by_ids(
    client: LoginClient, queries: list[list[str]], asked: tuple[str, ...] | None
) -> None:
    """Every condition must match, and each id is sent once."""
    conditions = [{"idsQuery": {"ids": ids}} for ids in queries]
    await client.call("ListSessions", {"queries": conditions})

    assert client.authz.asked == ([FindLoginSessions(actor="robot", session_ids=asked)] if asked else [])


async def test_list_has_pages_and_details(client: LoginClient) -> None:
    """The newest session is the first one."""
    conditions = [{"idsQuery": {"ids": ["s1", "s2", "unknown"]}}]
    listed = await client.call("ListSessions", {"queries": conditions})
    page = await client.call("ListSessions", {"queries": conditions, "query": {"offset": 1, "limit": 1}})

    assert [one["id"] for one in listed["sessions"]] == ["s2", "s1"]
    assert listed["details"] == {"totalResult": "2", "processedSequence": "7", "timestamp": "2027-01-15T08:00:00Z"}
    assert [one["id"] for one in page["sessions"]] == ["s1"]
    assert page["details"]["totalResult"] == "2"


async def test_session_ends(client: LoginClient) -> None:
    ended = await client.call("DeleteSession", {"sessionId": "s1", "sessionToken": "t"})

    assert client.authz.asked == [EndLogin(actor="robot", session_id="s1")]
    assert ended == {"details": {"changeDate": "2027-01-15T08:00:00Z", "resourceOwner": "home"}}


@pytest.mark.parametrize("method", ["GetSession", "DeleteSession"])
async def test_unknown_session_is_not_found(client: LoginClient, method: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.call(method, {"sessionId": "unknown"})

    assert refused.value.id == "USER-726"


async def test_authorization_request_is_read(client: LoginClient) -> None:
    plain = await client.call("GetAuthRequest", {"authRequestId": "r1"})
    client.authz.request = LoginRequest(
        request_id="r1",
        began=1_700_000_000.0,
        client_id="shop",
        redirect_uri="https://shop.example/cb",
        scope=("openid", "email"),
        prompts=("none", "login", "consent", "select_account", "create", "newer"),
        ui_locales=("de", "en"),
        login_hint="ada",
        max_age=0,
        hint_user_id="u1",
    )
    whole = await client.call("GetAuthRequest", {"authRequestId": "r1"})

    always = {"id": "r1", "creationDate": "2023-11-14T22:13:20Z", "clientId": "shop"}
    always |= {"redirectUri": "https://shop.example/cb"}
    assert client.authz.asked[0] == GetLoginRequest(request_id="r1")
    assert plain == {"authRequest": always}
    assert whole["authRequest"] == {
        **always,
        "scope": ["openid", "email"],
        "prompt": ["PROMPT_NONE", "PROMPT_LOGIN", "PROMPT_CONSENT", "PROMPT_SELECT_ACCOUNT", "PROMPT_CREATE"],
        "uiLocales": ["de", "en"],
        "loginHint": "ada",
        "maxAge": "0s",
        "hintUserId": "u1",
    }


async def test_request_is_finished_with_a_session_or_denied(client: LoginClient) -> None:
    session = {"sessionId": "s1", "sessionToken": "t1"}
    done = await client.call("CreateCallback", {"authRequestId": "r1", "session": session})
    await client.call("CreateCallback", {"authRequestId": "r1", "error": {"error": "ERROR_REASON_ACCESS_DENIED"}})

    assert client.authz.asked == [
        FinishLogin(actor="robot", request_id="r1", session_id="s1", session_token="t1"),
        FinishLogin(actor="robot", request_id="r1", denied=True),
    ]
    details = {"changeDate": "2027-01-15T08:00:00Z", "resourceOwner": "home"}
    assert done == {"details": details, "callbackUrl": "https://issuer.example/resume"}


async def test_request_and_response_are_binary_too(client: LoginClient) -> None:
    """Maps, bytes and Struct in the format of gRPC."""
    client.authz.options = json.dumps(OPTIONS)
    request = client.request("CreateSession")
    request.metadata["shop"] = b"books"
    request.user_agent.header["accept"].values.append("a")
    response = await client.call("CreateSession", request.SerializeToString())

    assert client.authz.asked[0].metadata == {"shop": "Ym9va3M="}
    assert json.loads(client.authz.asked[0].user_agent) == MessageToDict(request.user_agent)
    assert response["sessionToken"] == "t1"
