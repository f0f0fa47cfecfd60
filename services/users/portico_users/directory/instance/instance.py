"""The instance."""

from __future__ import annotations

from portico_users.directory.policies.login_rules import LoginRules
from portico_users.directory.policies.policies import Policies
from portico_users.directory.policies.token_lifetimes import TokenLifetimes
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.records import Record


class Instance(Record, frozen=True, kw_only=True):
    """The settings of the instance; there is one.

    Attributes:
        login_rules: for every organization without its own.
        policies: likewise.
        token_lifetimes: how long tokens live; None for the lifetimes of the operator's settings.
        default_org_id: whom people join who register without naming an organization; empty for the oldest.
        intent_urls: where intents may lead, letter for letter (decision 0051).
    """

    login_rules: LoginRules = LoginRules()
    policies: Policies = Policies()
    token_lifetimes: TokenLifetimes | None = None
    default_org_id: str = ""
    intent_urls: tuple[str, ...] = ()


UNSET = Instance(id=INSTANCE, org_id=INSTANCE)
"""The instance before its settings are stored."""
