from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from portico_contracts.generated.zitadel.oidc import v2_pb2 as oidc
from portico_contracts.generated.zitadel.session import v2_pb2 as their
from portico_contracts.login_sessions import CheckLogin, FinishLogin, LoginChallenges, LoginChecks

from portico_users.management_api.zitadel.login.reading import LONGEST_CODE, Reading
from portico_users.values.json_text import REQUIRED, TOO_MANY_BYTES
from portico_users.values.names import MAX_LENGTH

LARGEST_CREDENTIAL: Final = 8 * 1024
MOST_METADATA: Final = 20
LARGEST_METADATA: Final = 4 * 1024
"""Bytes of the keys and of the values in base64."""
LARGEST_USER_AGENT: Final = 2 * 1024
MOST_IDS: Final = 100
MOST_QUERIES: Final = 20

_VERIFICATIONS: Final = their.UserVerificationRequirement.values()

_TYPED: Final = (
    ("password", "password", MAX_LENGTH),
    ("totp", "code", LONGEST_CODE),
    ("otp_sms", "code", LONGEST_CODE),
    ("otp_email", "code", LONGEST_CODE),
)
"""Checks of a value that the user types: field, its member, and the limit."""


def read_check_login(request: their.CreateSessionRequest | their.SetSessionRequest, *, actor: str) -> CheckLogin:
    """Raises USER-303."""
    reading = Reading()
    session_id = user_agent = ""
    if isinstance(request, their.SetSessionRequest):
        session_id = reading.text("sessionId", request.session_id)
    else:
        user_agent = reading.json("userAgent", request.user_agent, LARGEST_USER_AGENT)
    lifetime = reading.seconds("lifetime", request.lifetime) if request.HasField("lifetime") else 0.0
    asked = CheckLogin(
        actor=actor,
        session_id=session_id,
        checks=_checks(reading, request.checks),
        challenges=_challenges(reading, request.challenges),
        metadata=_metadata(reading, request.metadata),
        lifetime=lifetime,
        user_agent=user_agent,
    )
    reading.require()
    return asked


def _checks(reading: Reading, checks: their.Checks) -> LoginChecks:
    reading.refuse_set(checks, "checks", "idp_intent")
    values: dict[str, str] = {}
    if checks.HasField("user"):
        name = checks.user.WhichOneof("search") or "login_name"
        values[name] = reading.text(f"checks.user.{_json(name)}", getattr(checks.user, name))
    for field, member, limit in _TYPED:
        if checks.HasField(field):
            value = getattr(getattr(checks, field), member)
            values[field] = reading.text(f"checks.{_json(field)}.{member}", value, limit)
    if checks.HasField("web_auth_n"):
        place = "checks.webAuthN.credentialAssertionData"
        values["credential"] = reading.json(place, checks.web_auth_n.credential_assertion_data, LARGEST_CREDENTIAL)
        if not checks.web_auth_n.credential_assertion_data.fields:
            reading.refuse(place, REQUIRED)
    return LoginChecks(**values)


def _json(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(one.title() for one in others)


def _challenges(reading: Reading, challenges: their.RequestChallenges) -> LoginChallenges:
    asked = challenges.web_auth_n
    if challenges.HasField("web_auth_n"):
        reading.text("challenges.webAuthN.domain", asked.domain)
        place = "challenges.webAuthN.userVerificationRequirement"
        reading.known(place, asked.user_verification_requirement, *_VERIFICATIONS)
    reading.refuse_set(challenges.otp_sms, "challenges.otpSms", "return_code")
    reading.refuse_set(challenges.otp_email, "challenges.otpEmail", "return_code")
    # Codes are sent with the text of the organization, which has no place for an address.
    reading.refuse_set(challenges.otp_email.send_code, "challenges.otpEmail.sendCode", "url_template")
    return LoginChallenges(
        domain=asked.domain,
        user_verification=asked.user_verification_requirement == their.USER_VERIFICATION_REQUIREMENT_REQUIRED,
        otp_sms=challenges.HasField("otp_sms"),
        otp_email=challenges.HasField("otp_email"),
    )


def _metadata(reading: Reading, metadata: Mapping[str, bytes]) -> dict[str, str]:
    reading.entries("metadata", metadata, MOST_METADATA)
    found = {key: base64.b64encode(value).decode() for key, value in metadata.items()}
    for key in found:
        reading.text(f"metadata.{key[:100]}", key)
    if sum(len(key.encode()) + len(value) for key, value in found.items()) > LARGEST_METADATA:
        reading.refuse("metadata", TOO_MANY_BYTES, LARGEST_METADATA)
    return found


def read_session_id(request: their.GetSessionRequest | their.DeleteSessionRequest) -> str:
    """``session_token`` is not needed: a session is found only for the login client that created it."""
    reading = Reading()
    reading.optional_text("sessionToken", request.session_token)
    session_id = reading.text("sessionId", request.session_id)
    reading.require()
    return session_id


def read_session_ids(request: their.ListSessionsRequest) -> tuple[str, ...]:
    """The ids that all conditions have. Raises USER-303 for other conditions, and without any."""
    reading = Reading()
    reading.refuse_set(request, "", "sorting_column")
    reading.refuse_set(request.query, "query", "asc")
    reading.entries("queries", request.queries, MOST_QUERIES)
    found: dict[str, None] | None = None
    for number, query in enumerate(request.queries):
        place, kind = f"queries[{number}]", query.WhichOneof("query")
        if kind is None:
            reading.refuse(place, REQUIRED)
        elif kind != "ids_query":
            reading.refuse(f"{place}.{_json(kind)}")
        ids = query.ids_query.ids
        reading.entries(f"{place}.idsQuery.ids", ids, MOST_IDS)
        for index, one in enumerate(ids[:MOST_IDS]):
            reading.text(f"{place}.idsQuery.ids[{index}]", one)
        found = {one: None for one in ids if found is None or one in found}
    if not request.queries:
        reading.refuse("queries", REQUIRED)
    reading.require()
    return tuple(found or ())


def read_auth_request_id(request: oidc.GetAuthRequestRequest) -> str:
    reading = Reading()
    request_id = reading.text("authRequestId", request.auth_request_id)
    reading.require()
    return request_id


def read_finish_login(request: oidc.CreateCallbackRequest, *, actor: str) -> FinishLogin:
    reading = Reading()
    request_id = reading.text("authRequestId", request.auth_request_id)
    denied = request.WhichOneof("callback_kind") == "error"
    if denied:
        if request.error.error != oidc.ERROR_REASON_ACCESS_DENIED:
            reading.refuse("error.error")
        reading.refuse_set(request.error, "error", "error_description", "error_uri")
        reading.require()
        return FinishLogin(actor=actor, request_id=request_id, denied=True)
    session_id = reading.text("session.sessionId", request.session.session_id)
    session_token = reading.text("session.sessionToken", request.session.session_token)
    reading.require()
    return FinishLogin(actor=actor, request_id=request_id, session_id=session_id, session_token=session_token)
