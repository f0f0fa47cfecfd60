"""docs/generated/login-api.json: the login API as OpenAPI 3.1, from the messages it is made of."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.http import ACCOUNTS_API, LINK_API, LOGIN_API, LOGOUT_API
from portico_contracts.login import (
    Accounts,
    Answer,
    AskAccounts,
    AskLogout,
    AskPasskey,
    AskStep,
    ConfirmLogout,
    Logout,
    PasskeyOffered,
    Step,
)
from portico_contracts.users import (
    AskPolicy,
    BeginPasskeyByLink,
    FinishPasskeyByLink,
    LoginPolicy,
    MailLinkVerified,
    PasskeyBegun,
    PasskeyRegistered,
    PasswordLinkSent,
    PasswordSet,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    VerifyMailLink,
)
from portico_oauth.errors import TABLE, Kind
from portico_web.surfaces import management_status

from generated_pages.markdown import first_line

_REFERENCE: Final = "#/components/schemas/{name}"


class Operation(NamedTuple):
    """One POST: what is sent, what comes back."""

    path: str
    id: str
    request: type[msgspec.Struct]
    reply: type[msgspec.Struct]


OPERATIONS: Final = (
    Operation(f"{LOGIN_API}/{{id}}/step", "askStep", AskStep, Step),
    Operation(f"{LOGIN_API}/{{id}}/answer", "answer", Answer, Step),
    Operation(f"{LOGIN_API}/{{id}}/passkey", "offerPasskey", AskPasskey, PasskeyOffered),
    Operation(f"{LOGOUT_API}/{{id}}/ask", "askLogout", AskLogout, Logout),
    Operation(f"{LOGOUT_API}/{{id}}/confirm", "confirmLogout", ConfirmLogout, Logout),
    Operation(ACCOUNTS_API, "askAccounts", AskAccounts, Accounts),
    Operation(f"{LINK_API}/verify-mail", "verifyMailLink", VerifyMailLink, MailLinkVerified),
    Operation(f"{LINK_API}/set-password", "setPasswordByLink", SetPasswordByLink, PasswordSet),
    Operation(f"{LINK_API}/set-password-by-code", "setPasswordByCode", SetPasswordByCode, PasswordSet),
    Operation(f"{LINK_API}/send-password", "sendPasswordLink", SendPasswordLink, PasswordLinkSent),
    Operation(f"{LINK_API}/begin-passkey", "beginPasskeyByLink", BeginPasskeyByLink, PasskeyBegun),
    Operation(f"{LINK_API}/finish-passkey", "finishPasskeyByLink", FinishPasskeyByLink, PasskeyRegistered),
    Operation(f"{LINK_API}/policy", "getLoginPolicy", AskPolicy, LoginPolicy),
)

_ERRORS: Final = (
    Kind.MALFORMED,
    Kind.UNAUTHENTICATED,
    Kind.NOT_ALLOWED,
    Kind.ABSENT,
    Kind.TOO_LARGE,
    Kind.UNAVAILABLE,
)
"""What every operation may answer besides; the ids stand in errors.md."""

_ID: Final[dict[str, Any]] = {
    "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
}

_STATUS: Final[dict[str, Any]] = {
    "type": "object",
    "description": "google.rpc.Status; the id of the error is details[0].id.",
    "required": ["code", "message", "details"],
    "properties": {
        "code": {"type": "integer"},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "@type": {"type": "string"},
                    "id": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}


def login_api() -> str:
    """The document."""
    kinds = [kind for one in OPERATIONS for kind in (one.request, one.reply)]
    _, schemas = msgspec.json.schema_components(dict.fromkeys(kinds), ref_template=_REFERENCE)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Portico login API",
            "version": "1",
            "description": "How login pages drive a sign-in and a sign-out. Internal: the gateway does not expose it.",
        },
        "security": [{"loginApiKey": []}],
        "paths": {one.path: {"post": _post(one)} for one in OPERATIONS},
        "components": {
            "securitySchemes": {
                "loginApiKey": {"type": "http", "scheme": "bearer", "description": "PORTICO_LOGIN_API_KEY of authz."}
            },
            "schemas": {**dict(sorted(schemas.items())), "Status": _STATUS},
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _post(one: Operation) -> dict[str, Any]:
    return {
        "operationId": one.id,
        "summary": first_line(one.request.__doc__),
        **(_ID if "{id}" in one.path else {}),
        "requestBody": {"required": True, "content": _json(one.request.__name__)},
        "responses": {
            "200": {"description": first_line(one.reply.__doc__), "content": _json(one.reply.__name__)},
            **{
                str(management_status(kind)): {"description": TABLE[kind].page, "content": _json("Status")}
                for kind in _ERRORS
            },
        },
    }


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(name=name)}}}
