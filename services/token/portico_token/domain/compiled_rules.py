"""Which claim rules apply, computed once for each version of an application, scope and places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts.users import ClaimPlace, ClaimRule, Client

from portico_token.domain.claim_rules import Wanted, rules_for, wanted_by

MOST_APPLICATIONS: Final = 1_000
MOST_OF_APPLICATION: Final = 64
"""Scopes with places that are remembered of an application; clients choose their scopes."""

_Rules = tuple[ClaimRule, ...]


class ChosenRules(NamedTuple):
    """The rules that apply, and what has to be loaded for them; the same object for the same rules of an application."""

    rules: _Rules
    wanted: Wanted


NO_RULES: Final = ChosenRules((), Wanted(groups=False, metadata=False, projects=()))


@dataclass(slots=True)
class _Compiled:
    """`rules` is compared by identity: a changed application is another object with other rules."""

    rules: _Rules
    roles_claim: str
    groups_claim: str
    chosen: dict[tuple[tuple[str, ...], tuple[ClaimPlace, ...]], ChosenRules] = field(default_factory=dict)
    by_rules: dict[_Rules, ChosenRules] = field(default_factory=lambda: {(): NO_RULES})

    def is_of(self, client: Client) -> bool:
        same_names = self.roles_claim == client.roles_claim and self.groups_claim == client.groups_claim
        return self.rules is client.claim_rules and same_names


class CompiledRules:
    def __init__(self) -> None:
        self._of_clients: dict[str, _Compiled] = {}

    def rules_for(self, client: Client, scope: tuple[str, ...], places: tuple[ClaimPlace, ...]) -> ChosenRules:
        if not client.claim_rules:
            return NO_RULES
        compiled = self._of_clients.get(client.client_id)
        if compiled is None or not compiled.is_of(client):
            if len(self._of_clients) >= MOST_APPLICATIONS:
                self._of_clients.clear()
            compiled = _Compiled(client.claim_rules, client.roles_claim, client.groups_claim)
            self._of_clients[client.client_id] = compiled
        chosen = compiled.chosen.get((scope, places))
        if chosen is None:
            if len(compiled.chosen) >= MOST_OF_APPLICATION:
                compiled.chosen.clear()
                compiled.by_rules = {(): NO_RULES}
            rules = rules_for(client, scope, *places)
            chosen = compiled.by_rules.setdefault(rules, ChosenRules(rules, wanted_by(rules, client)))
            compiled.chosen[scope, places] = chosen
        return chosen
