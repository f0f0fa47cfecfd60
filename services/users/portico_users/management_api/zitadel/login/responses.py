from __future__ import annotations

import base64
import json
from typing import Final

from google.protobuf.json_format import ParseDict
from portico_contracts.generated.zitadel.object.v2_pb2 import Details
from portico_contracts.generated.zitadel.oidc import v2_pb2 as oidc
from portico_contracts.generated.zitadel.session import v2_pb2 as their
from portico_contracts.login_sessions import LoginRequest, LoginSessionState

from portico_users.management_api.protobuf.details import timestamp_of

_TIMES: Final = {
    "user": "user_verified_at",
    "password": "password_at",
    "web_auth_n": "webauthn_at",
    "totp": "totp_at",
    "otp_sms": "otp_sms_at",
    "otp_email": "otp_email_at",
}
"""By the factor's field: where the time of its verification is."""

_PROMPTS: Final = {
    "none": oidc.PROMPT_NONE,
    "login": oidc.PROMPT_LOGIN,
    "consent": oidc.PROMPT_CONSENT,
    "select_account": oidc.PROMPT_SELECT_ACCOUNT,
    "create": oidc.PROMPT_CREATE,
}
"""By the values of the parameter (OpenID Connect Core section 3.1.2.1)."""


def fill_session(session: their.Session, state: LoginSessionState) -> None:
    session.id, session.sequence = state.session_id, state.sequence
    session.creation_date.CopyFrom(timestamp_of(state.created))
    session.change_date.CopyFrom(timestamp_of(state.changed))
    session.expiration_date.CopyFrom(timestamp_of(state.ends_at))
    for factor, time in _TIMES.items():
        if at := getattr(state, time):
            getattr(session.factors, factor).verified_at.CopyFrom(timestamp_of(at))
    if state.user_verified_at:
        user = session.factors.user
        user.id, user.organization_id = state.user_id, state.org_id
        user.login_name, user.display_name = state.login_name, state.display_name
    if state.webauthn_at:
        session.factors.web_auth_n.user_verified = state.webauthn_user_verified
    for key, value in state.metadata.items():
        session.metadata[key] = base64.b64decode(value)
    if state.user_agent:
        ParseDict(json.loads(state.user_agent), session.user_agent)


def fill_challenges(challenges: their.Challenges, options: str) -> None:
    """``options`` is the argument of ``navigator.credentials.get()``; empty without a challenge of WebAuthn."""
    if options:
        ParseDict({"publicKey": json.loads(options)}, challenges.web_auth_n.public_key_credential_request_options)


def fill_details(details: Details, *, changed: float, owner: str, sequence: int = 0) -> None:
    details.sequence, details.resource_owner = sequence, owner
    details.change_date.CopyFrom(timestamp_of(changed))


def fill_auth_request(found: oidc.AuthRequest, request: LoginRequest) -> None:
    found.id, found.client_id, found.redirect_uri = request.request_id, request.client_id, request.redirect_uri
    found.creation_date.CopyFrom(timestamp_of(request.began))
    found.scope.extend(request.scope)
    found.prompt.extend(_PROMPTS[one] for one in request.prompts if one in _PROMPTS)
    found.ui_locales.extend(request.ui_locales)
    if request.login_hint:
        found.login_hint = request.login_hint
    if request.max_age is not None:
        found.max_age.seconds = request.max_age
        found.max_age.SetInParent()
    if request.hint_user_id:
        found.hint_user_id = request.hint_user_id
