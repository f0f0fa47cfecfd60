"""Bad values of own login pages: an error that names the field, and no message to authz (MG-14)."""

from __future__ import annotations

from typing import Any, Final

import pytest

from .login_client import LoginClient


@pytest.fixture
def client() -> LoginClient:
    return LoginClient()


LONG: Final = "a" * 201
CODE: Final = "1" * 21
MANY: Final = {str(number): "YQ==" for number in range(21)}


def _checks(**checks: Any) -> dict[str, Any]:
    return {"checks": checks}


def _challenges(**challenges: Any) -> dict[str, Any]:
    return {"challenges": challenges}


def _ids(*ids: str) -> dict[str, Any]:
    return {"idsQuery": {"ids": ids}}


BAD_VALUES: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    # An empty value would be a check that is not made.
    ("CreateSession", _checks(user={}), "checks.user.loginName"),
    ("CreateSession", _checks(user={"userId": ""}), "checks.user.userId"),
    ("CreateSession", _checks(password={}), "checks.password.password"),
    ("CreateSession", _checks(webAuthN={}), "checks.webAuthN.credentialAssertionData"),
    ("CreateSession", _checks(totp={}), "checks.totp.code"),
    ("CreateSession", _checks(otpSms={}), "checks.otpSms.code"),
    ("CreateSession", _checks(otpEmail={"code": ""}), "checks.otpEmail.code"),
    ("CreateSession", _challenges(webAuthN={}), "challenges.webAuthN.domain"),
    ("SetSession", {}, "sessionId"),
    ("GetSession", {}, "sessionId"),
    ("DeleteSession", {}, "sessionId"),
    ("ListSessions", {}, "queries"),
    ("ListSessions", {"queries": [{}]}, "queries[0]"),
    ("ListSessions", {"queries": [_ids("s1", "")]}, "queries[0].idsQuery.ids[1]"),
    ("GetAuthRequest", {}, "authRequestId"),
    ("CreateCallback", {"session": {"sessionId": "s", "sessionToken": "t"}}, "authRequestId"),
    ("CreateCallback", {"authRequestId": "r", "session": {"sessionToken": "t"}}, "session.sessionId"),
    ("CreateCallback", {"authRequestId": "r", "session": {"sessionId": "s"}}, "session.sessionToken"),
    ("CreateCallback", {"authRequestId": "r", "error": {}}, "error.error"),
    # Limits.
    ("CreateSession", _checks(user={"userId": LONG}), "checks.user.userId"),
    ("CreateSession", _checks(user={"loginName": LONG}), "checks.user.loginName"),
    ("CreateSession", _checks(password={"password": LONG}), "checks.password.password"),
    ("CreateSession", _checks(totp={"code": CODE}), "checks.totp.code"),
    ("CreateSession", _checks(otpSms={"code": CODE}), "checks.otpSms.code"),
    ("CreateSession", _checks(otpEmail={"code": CODE}), "checks.otpEmail.code"),
    (
        "CreateSession",
        _checks(webAuthN={"credentialAssertionData": {"a": "b" * 8185}}),
        "checks.webAuthN.credentialAssertionData",
    ),
    ("CreateSession", _challenges(webAuthN={"domain": LONG}), "challenges.webAuthN.domain"),
    ("CreateSession", {"metadata": MANY}, "metadata"),
    ("CreateSession", {"metadata": {"a": "YWFh" * 1024}}, "metadata"),
    ("CreateSession", {"metadata": {LONG: ""}}, f"metadata.{LONG[:100]}"),
    ("CreateSession", {"userAgent": {"description": "a" * 2048}}, "userAgent"),
    ("SetSession", {"sessionId": LONG}, "sessionId"),
    ("GetSession", {"sessionId": LONG}, "sessionId"),
    ("GetSession", {"sessionId": "s", "sessionToken": LONG}, "sessionToken"),
    ("DeleteSession", {"sessionId": LONG}, "sessionId"),
    ("ListSessions", {"queries": [_ids(LONG)]}, "queries[0].idsQuery.ids[0]"),
    ("ListSessions", {"queries": [_ids(*map(str, range(101)))]}, "queries[0].idsQuery.ids"),
    ("ListSessions", {"queries": [_ids("s1")] * 21}, "queries"),
    ("GetAuthRequest", {"authRequestId": LONG}, "authRequestId"),
    (
        "CreateCallback",
        {"authRequestId": "r", "session": {"sessionId": "s", "sessionToken": LONG}},
        "session.sessionToken",
    ),
    # What has no place in Portico.
    ("CreateSession", _checks(idpIntent={"idpIntentId": "i", "idpIntentToken": "t"}), "checks.idpIntent"),
    ("CreateSession", _challenges(otpSms={"returnCode": True}), "challenges.otpSms.returnCode"),
    ("CreateSession", _challenges(otpEmail={"returnCode": {}}), "challenges.otpEmail.returnCode"),
    (
        "CreateSession",
        _challenges(otpEmail={"sendCode": {"urlTemplate": "https://a.example"}}),
        "challenges.otpEmail.sendCode.urlTemplate",
    ),
    ("ListSessions", {"queries": [{"userIdQuery": {"id": "u"}}]}, "queries[0].userIdQuery"),
    ("ListSessions", {"queries": [_ids("s1"), {"creatorQuery": {}}]}, "queries[1].creatorQuery"),
    ("ListSessions", {"queries": [{"userAgentQuery": {}}]}, "queries[0].userAgentQuery"),
    ("ListSessions", {"queries": [{"creationDateQuery": {}}]}, "queries[0].creationDateQuery"),
    ("ListSessions", {"queries": [_ids("s1")], "sortingColumn": 1}, "sortingColumn"),
    ("ListSessions", {"queries": [_ids("s1")], "query": {"asc": True}}, "query.asc"),
    ("CreateCallback", {"authRequestId": "r", "error": {"error": 9}}, "error.error"),
    (
        "CreateCallback",
        {"authRequestId": "r", "error": {"error": 3, "errorDescription": "d"}},
        "error.errorDescription",
    ),
    ("CreateCallback", {"authRequestId": "r", "error": {"error": 3, "errorUri": "u"}}, "error.errorUri"),
    # Wrong values.
    ("CreateSession", {"lifetime": "0s"}, "lifetime"),
    ("CreateSession", {"lifetime": "-5s"}, "lifetime"),
    ("CreateSession", {"lifetime": "NaN"}, "lifetime"),
    ("CreateSession", {"lifetime": 5}, "lifetime"),
    ("CreateSession", {"metadata": {"a": "***"}}, "metadata.a"),
    ("CreateSession", {"metadata": {"a": None}}, "metadata.a"),
    ("CreateSession", {"metadata": ["a"]}, "metadata"),
    ("CreateSession", {"metadata": {"": "YQ=="}}, "metadata."),
    ("CreateSession", {"metadata": {"a\x00": "YQ=="}}, "metadata.a\x00"),
    ("CreateSession", {"userAgent": {"header": {"accept": "a"}}}, "userAgent.header.accept"),
    ("CreateSession", {"userAgent": {"header": {"accept": {"values": ["\x00"]}}}}, "userAgent.header.accept.values[0]"),
    ("CreateSession", _checks(webAuthN={"credentialAssertionData": []}), "checks.webAuthN.credentialAssertionData"),
    ("CreateSession", _checks(password="pw"), "checks.password"),
    ("CreateSession", _checks(user={"userId": "u", "loginName": "n"}), "checks.user.loginName"),
    (
        "CreateSession",
        _challenges(webAuthN={"domain": "a.example", "userVerificationRequirement": 4}),
        "challenges.webAuthN.userVerificationRequirement",
    ),
)  # fmt: skip


async def test_bad_values_are_refused_by_name(client: LoginClient) -> None:
    """An error names the field, and nothing is sent to authz."""
    for method, members, field in BAD_VALUES:
        assert await client.refused(method, members) == [field], (method, members)


@pytest.mark.parametrize("bad", ["nan", "inf", "-inf"])
async def test_numbers_that_json_does_not_have_are_refused(client: LoginClient, bad: str) -> None:
    """A binary message can have them in a Struct."""
    request = client.request("CreateSession")
    request.checks.web_auth_n.credential_assertion_data.fields["a"].number_value = float(bad)

    assert await client.refused("CreateSession", request.SerializeToString()) == [
        "checks.webAuthN.credentialAssertionData"
    ]


async def test_largest_values_are_accepted(client: LoginClient) -> None:
    """Each value is exactly as long as its limit."""
    checks: dict[str, Any] = {
        "user": {"loginName": "a" * 200},
        "password": {"password": "b" * 200},
        "totp": {"code": "1" * 20},
    }
    checks["webAuthN"] = {"credentialAssertionData": {"a": "b" * (8 * 1024 - 8)}}
    metadata = {chr(97 + number): "" for number in range(19)} | {"keys": "YWFh" * 1018}
    agent = {"description": "a" * (2048 - 18)}
    await client.call("CreateSession", {"checks": checks, "metadata": metadata, "userAgent": agent, "lifetime": "1s"})

    assert len(client.authz.asked[0].checks.credential) == 8 * 1024
    assert len(client.authz.asked[0].user_agent) == 2048
