"""Identity assertions of other issuers that an organization accepts in place of a sign-in (decision 0157)."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc


class AssertedAccess(Message, frozen=True):
    """An API, by its resource, that a client may use for linked users, and the scopes that it may have there at most."""

    resource: str
    scopes: tuple[str, ...] = ()


class AssertionTrust(Message, frozen=True):
    """An active identity provider whose assertions an organization accepts of a client.

    `tenant_claim` and `tenant` pin the tenant of an issuer that several share; both are empty for other issuers.
    """

    provider_id: str
    name: str
    org_id: str
    access: tuple[AssertedAccess, ...]
    tenant_claim: str = ""
    tenant: str = ""


class FindAssertionTrusts(Message, frozen=True):
    """Requests the providers with this issuer whose assertions are accepted of a client."""

    client_id: str
    issuer: str


class AssertionTrusts(Message, frozen=True):
    """Several where organizations have the same issuer, each with a tenant of it."""

    trusts: tuple[AssertionTrust, ...] = ()


class FindAsserted(Message, frozen=True):
    """Asks which user an assertion of a provider is about; `subject` is its `sub`."""

    provider_id: str
    issuer: str
    subject: str
    client_id: str


class Asserted(Message, frozen=True):
    """The active user with a link to the subject, and what the client may have for it; `user_id` is empty for none.

    It is also empty where the provider, the client or the rule has been removed, and where the user has ended the access
    of the client.
    """

    user_id: str = ""
    access: tuple[AssertedAccess, ...] = ()


FIND_ASSERTION_TRUSTS = Rpc("users.v1.assertion.trusts", FindAssertionTrusts, AssertionTrusts, ("token",))
FIND_ASSERTED = Rpc("users.v1.assertion.subject", FindAsserted, Asserted, ("token",))
