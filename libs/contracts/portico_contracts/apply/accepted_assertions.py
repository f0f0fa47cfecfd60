from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject

_Text = Annotated[str, Meta(min_length=1, max_length=200)]


class AssertionRule(DeclaredObject, frozen=True):
    """What a client may use for linked users: an API by its ``resource``, with these scopes at most."""

    client_id: _Text
    resource: Annotated[str, Meta(min_length=1, max_length=2000)]
    scopes: Annotated[tuple[_Text, ...], Meta(max_length=100)] = ()


class AcceptedAssertions(DeclaredObject, frozen=True):
    """Identity assertions of a provider that are accepted in place of a sign-in.

    ``tenantClaim`` must have the value ``tenant``, for issuers that tenants share.
    """

    rules: Annotated[tuple[AssertionRule, ...], Meta(max_length=50)] = ()
    tenant_claim: Annotated[str, Meta(max_length=100)] = ""
    tenant: Annotated[str, Meta(max_length=200)] = ""
