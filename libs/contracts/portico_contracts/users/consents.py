"""What users allowed applications to do, per user and application (OpenID Connect Core section 3.1.2.4)."""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Rpc


class Consent(StrEnum):
    """When an application requests consent."""

    NONE = "none"
    ONCE = "once"
    """At the first sign-in, and for further scopes."""
    ALWAYS = "always"


class GetConsent(Message, frozen=True):
    """Requests the scopes a user has allowed an application; `seen` is as in `GetUser`."""

    user_id: str
    client_id: str
    seen: str | None = None


class ConsentFound(Message, frozen=True):
    """The allowed scopes, with the version and organization of the user; all empty for an inactive user."""

    scopes: tuple[str, ...] = ()
    version: str = ""
    org_id: str = ""


class GiveConsent(Message, frozen=True):
    """Adds scopes to those a user has allowed an application. `org_id` is as in `GetApis`."""

    user_id: str
    client_id: str
    scopes: tuple[str, ...]
    org_id: str = ""


class ConsentGiven(Message, frozen=True):
    """Confirms that the scopes are stored."""


class DescribeScopes(Message, frozen=True):
    """Requests the texts of scopes, and the names of resources, of APIs that an application may request.

    `org_id` is as in `GetApis`.
    """

    client_id: str
    scopes: tuple[str, ...]
    org_id: str = ""


class DescribedScope(Message, frozen=True):
    """The texts of a scope, with the name of its API. Texts are empty where none was entered."""

    scope: str
    api: str
    title: str = ""
    description: str = ""


class ScopesDescribed(Message, frozen=True):
    """The scopes that were found, in the requested order, and the name of the application's organization."""

    scopes: tuple[DescribedScope, ...] = ()
    org_name: str = ""


GET_CONSENT = Rpc("users.v1.consent.get", GetConsent, ConsentFound, ("authz", "token"))
GIVE_CONSENT = Rpc("users.v1.consent.give", GiveConsent, ConsentGiven, ("authz",))
DESCRIBE_SCOPES = Rpc("users.v1.scopes.describe", DescribeScopes, ScopesDescribed, ("authz",))
