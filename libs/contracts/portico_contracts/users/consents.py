"""What users allowed applications to do, per user and application (OpenID Connect Core section 3.1.2.4)."""

from __future__ import annotations

from enum import StrEnum

from portico_oauth.scopes import is_known

from portico_contracts.subjects import Message, Rpc


class Consent(StrEnum):
    """When an application requests consent."""

    NONE = "none"
    ONCE = "once"
    """At the first sign-in, and for further scopes."""
    ALWAYS = "always"


class ApiScope(Message, frozen=True):
    """A scope or resource with the client id of the API that it is of; empty for the scopes that no API defines.

    Two APIs may have a scope of the same name: a user allows it at each of them (decision 0110).
    """

    api: str
    scope: str


class GetConsent(Message, frozen=True):
    """Requests what a user has allowed an application; `seen` is as in `GetUser`."""

    user_id: str
    client_id: str
    seen: str | None = None


class ConsentFound(Message, frozen=True):
    """What is allowed, with the version and organization of the user; all empty for an inactive user.

    `scopes` are those that no API defines. Other words in it are of an older release, and allow nothing.
    """

    scopes: tuple[str, ...] = ()
    version: str = ""
    org_id: str = ""
    of_apis: tuple[ApiScope, ...] = ()


class GiveConsent(Message, frozen=True):
    """Adds to what a user has allowed an application; `scopes` are those that no API defines.

    `org_id` is as in `GetApis`.
    """

    user_id: str
    client_id: str
    scopes: tuple[str, ...]
    org_id: str = ""
    of_apis: tuple[ApiScope, ...] = ()


class ConsentGiven(Message, frozen=True):
    """Confirms that it is stored."""


class DescribeScopes(Message, frozen=True):
    """Requests the texts of scopes, and the names of resources, of APIs that an application may request.

    `org_id` is as in `GetApis`.
    """

    client_id: str
    scopes: tuple[str, ...]
    org_id: str = ""


class DescribedScope(Message, frozen=True):
    """The texts of a scope, with the name and client id of its API. Texts are empty where none was entered."""

    scope: str
    api: str
    title: str = ""
    description: str = ""
    client_id: str = ""


class ScopesDescribed(Message, frozen=True):
    """The scopes that were found, once for each API, and the name of the application's organization."""

    scopes: tuple[DescribedScope, ...] = ()
    org_name: str = ""


def allowed_in(consent: ConsentFound) -> frozenset[ApiScope]:
    """Returns everything that a consent allows."""
    return frozenset((*(ApiScope("", one) for one in consent.scopes if is_known(one)), *consent.of_apis))


GET_CONSENT = Rpc("users.v1.consent.get", GetConsent, ConsentFound, ("authz", "token"))
GIVE_CONSENT = Rpc("users.v1.consent.give", GiveConsent, ConsentGiven, ("authz",))
DESCRIBE_SCOPES = Rpc("users.v1.scopes.describe", DescribeScopes, ScopesDescribed, ("authz",))
