from __future__ import annotations

import msgspec


class AssertionRule(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a client may use for linked users: an API by its resource, with these scopes at most.

    `since` is when an administrator set it, in seconds since 1970: what users ended before is allowed again.
    """

    client_id: str
    resource: str
    scopes: tuple[str, ...] = ()
    since: float = 0

    @property
    def content(self) -> tuple[str, str, tuple[str, ...]]:
        return self.client_id, self.resource, self.scopes


class AcceptedAssertions(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Empty for a provider whose assertions are not accepted.

    Attributes:
        tenant_claim: the claim that names the tenant, for issuers that tenants share; empty for others.
        tenant: the value that it must have.
    """

    rules: tuple[AssertionRule, ...] = ()
    tenant_claim: str = ""
    tenant: str = ""

    def rules_of(self, client_id: str, *, ended: float = 0) -> tuple[AssertionRule, ...]:
        """Returns the rules of the client, without those that are older than the time at which the user ended them."""
        return tuple(rule for rule in self.rules if rule.client_id == client_id and rule.since >= ended)

    def dated(self, before: AcceptedAssertions, now: float) -> AcceptedAssertions:
        """Returns the same with the times of rules: the one before for a rule that was there, else now."""
        known = {rule.content: rule.since for rule in before.rules}
        rules = tuple(msgspec.structs.replace(rule, since=known.get(rule.content, now)) for rule in self.rules)
        return msgspec.structs.replace(self, rules=rules)


NONE_ACCEPTED = AcceptedAssertions()
