"""Checks OIDC applications against recommendations (RFC 9700, RFC 8252). Findings are only informative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.apply import AppTypeName
from portico_contracts.users import AuthMethod
from portico_oauth.grant_types import DEVICE_CODE
from portico_oauth.redirect_uris import is_loopback

from portico_users.applications.app_record import App

_V1: Final = "Application.OIDC.V1"

NOT_COMPLIANT: Final = f"{_V1}.NotCompliant"
NO_REDIRECT_URIS: Final = f"{_V1}.NoRedirectUris"
REFRESH_WITHOUT_CODE: Final = f"{_V1}.GrantType.Refresh.NoAuthCode"
CODE_HTTP: Final = f"{_V1}.Code.RedirectUris.HttpOnlyForWeb"
CODE_CUSTOM: Final = f"{_V1}.Code.RedirectUris.CustomOnlyForNative"
IMPLICIT_CUSTOM: Final = f"{_V1}.Implicit.RedirectUris.CustomNotAllowed"
IMPLICIT_HTTP: Final = f"{_V1}.Implicit.RedirectUris.HttpNotAllowed"
NATIVE_METHOD: Final = f"{_V1}.Native.AuthMethodType.NotNone"
NATIVE_HTTP: Final = f"{_V1}.Native.RedirectUris.MustBeHttpLocalhost"
USER_AGENT_METHOD: Final = f"{_V1}.UserAgent.AuthMethodType.NotNone"

TEXTS: Final[dict[str, str]] = {
    NOT_COMPLIANT: "The settings differ from the recommendations.",
    NO_REDIRECT_URIS: "Without a redirect URI no user can sign in.",
    REFRESH_WITHOUT_CODE: "Refresh tokens need the grant type authorization code.",
    CODE_HTTP: "Only web applications can use http redirect URIs.",
    CODE_CUSTOM: "Only native applications can use redirect URIs with a custom scheme.",
    IMPLICIT_CUSTOM: "The implicit flow does not support redirect URIs with a custom scheme.",
    IMPLICIT_HTTP: "The implicit flow does not support http redirect URIs.",
    NATIVE_METHOD: "A native application cannot keep a secret: use PKCE, the authentication method NONE.",
    NATIVE_HTTP: "Native applications can use http on a loopback host only.",
    USER_AGENT_METHOD: "An application in a browser cannot keep a secret: use PKCE, the authentication method NONE.",
}


def findings(app: App) -> tuple[str, ...]:
    """Returns the keys of all findings, the summary first; empty without any."""
    found = tuple(dict.fromkeys((*_grants(app), *_redirects(app), *_methods(app))))
    return (NOT_COMPLIANT, *found) if found else ()


def _grants(app: App) -> Iterator[str]:
    if "refresh_token" in app.grant_types and not {"authorization_code", DEVICE_CODE} & {*app.grant_types}:
        yield REFRESH_WITHOUT_CODE
    if not app.redirect_uris and app.response_types:
        yield NO_REDIRECT_URIS


def _redirects(app: App) -> Iterator[str]:
    native = app.app_type is AppTypeName.NATIVE
    implicit = "implicit" in app.grant_types
    for parts in map(urlsplit, app.redirect_uris):
        if parts.scheme == "http" and native and not is_loopback(parts.hostname):
            yield NATIVE_HTTP
        elif parts.scheme == "http" and not native and implicit:
            yield IMPLICIT_HTTP
        elif parts.scheme == "http" and app.app_type is AppTypeName.USER_AGENT:
            yield CODE_HTTP
        elif parts.scheme not in ("http", "https") and implicit:
            yield IMPLICIT_CUSTOM
        elif parts.scheme not in ("http", "https") and not native:
            yield CODE_CUSTOM


def _methods(app: App) -> Iterator[str]:
    if app.auth_method is AuthMethod.NONE:
        return
    if app.app_type is AppTypeName.NATIVE:
        yield NATIVE_METHOD
    elif app.app_type is AppTypeName.USER_AGENT:
        yield USER_AGENT_METHOD
