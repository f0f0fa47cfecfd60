"""Which claim rules apply, computed once for each version of an application, scope and places."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

from portico_contracts.users import ClaimPlace, ClaimRule, Client

from portico_token.domain.claim_rules import Wanted, rules_for, wanted_by

MOST_APPLICATIONS: Final = 1_000
MOST_OF_APPLICATION: Final = 64
"""Scopes with places that are remembered of an application; clients choose their scopes."""

_Rules = tuple[ClaimRule, ...]


_NUMBERS: Final = count(1)


class ChosenRules(NamedTuple):
    """The rules that apply, and what has to be loaded for them; the same object for the same rules of an application.

    `number` is of this object alone, also after it is dropped: other rules, and those of a changed application, have
    another.
    """

    rules: _Rules
    wanted: Wanted
    number: str


NO_RULES: Final = ChosenRules((), Wanted(groups=False, metadata=False, projects=()), "")


@dataclass(slots=True)
class _Compiled:
    """`rules` is compared by identity: a changed application is another object with other rules."""

    rules: _Rules
    roles_claim: str
    groups_claim: str
    project_id: str
    org_id: str
    chosen: dict[tuple[tuple[str, ...], tuple[ClaimPlace, ...]], ChosenRules] = field(default_factory=dict)
    by_rules: dict[_Rules, ChosenRules] = field(default_factory=lambda: {(): NO_RULES})


class CompiledRules:
    def __init__(self) -> None:
        self._of_clients: dict[str, _Compiled] = {}

    def rules_for(self, client: Client, scope: tuple[str, ...], places: tuple[ClaimPlace, ...]) -> ChosenRules:
        if not client.claim_rules:
            return NO_RULES
        compiled = self._of_clients.get(client.client_id)
        if (
            compiled is None
            or compiled.rules is not client.claim_rules
            or compiled.roles_claim != client.roles_claim
            or compiled.groups_claim != client.groups_claim
            or compiled.project_id != client.project_id
            or compiled.org_id != client.org_id
        ):
            compiled = self._compile(client)
        chosen = compiled.chosen.get((scope, places))
        if chosen is None:
            if len(compiled.chosen) >= MOST_OF_APPLICATION:
                compiled.chosen.clear()
                compiled.by_rules = {(): NO_RULES}
            rules = rules_for(client, scope, *places)
            chosen = compiled.by_rules.get(rules) or ChosenRules(rules, wanted_by(rules, client), str(next(_NUMBERS)))
            compiled.by_rules[rules] = compiled.chosen[scope, places] = chosen
        return chosen

    def _compile(self, client: Client) -> _Compiled:
        if len(self._of_clients) >= MOST_APPLICATIONS:
            self._of_clients.clear()
        names = client.roles_claim, client.groups_claim
        compiled = _Compiled(client.claim_rules, *names, client.project_id, client.org_id)
        self._of_clients[client.client_id] = compiled
        return compiled
