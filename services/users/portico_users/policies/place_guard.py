"""Refuses rules by network and country that cannot work, or would lock out who sets them (decision 0145)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.authz import FIND_COUNTRY, CountryFound, FindCountry
from portico_contracts.users import Place, PlaceAction, PlaceVerdict, SignInFrom, judge
from portico_oauth.errors import ErrorCode, Kind, ServiceError, Violation

from portico_users.accounts.store import MongoAccounts
from portico_users.bus import Bus
from portico_users.instance.instance import Instance
from portico_users.organizations.org import Org
from portico_users.policies.first_factors import FirstFactors
from portico_users.policies.login_rules import LoginRules
from portico_users.values.caller_address import caller_address
from portico_users.values.problems import at

NO_COUNTRIES = ErrorCode(
    "USER-188",
    Kind.FAILED_PRECONDITION,
    "Rules by country need a database of countries, and none is configured.",
    "Ask the operator to set PORTICO_GEO_DATABASE of authz, or name networks only.",
)
OWN_ADDRESS = ErrorCode(
    "USER-189",
    Kind.FAILED_PRECONDITION,
    "These rules would refuse your own address.",
    "Add your network or country to a rule that allows it, before the rule that refuses it.",
)


@dataclass(frozen=True, slots=True)
class PlaceGuard:
    bus: Bus
    accounts: MongoAccounts
    first_factors: FirstFactors

    async def require_possible(self, before: LoginRules, after: LoginRules, path: str = "") -> None:
        """Raises USER-188."""
        wanted = after.sign_in_from
        if wanted != before.sign_in_from and _names_countries(wanted) and not (await self._find("")).is_configured:
            raise at(f"{path}signInFrom", NO_COUNTRIES.error())

    async def require_way_in(self, holder: Org | Instance, after: LoginRules, actor: str) -> None:
        """Raises USER-189 with the address, if the caller has one, and the rules apply to the account of the caller."""
        wanted = after.sign_in_from
        if wanted is None or wanted == holder.login_rules.sign_in_from:
            return
        found = await self.judge_caller(wanted)
        if found and found[1].action is PlaceAction.REFUSE and await self._applies(holder, after, actor):
            raise _refused(found[0].address, found[1].rule)

    async def judge_caller(self, wanted: SignInFrom) -> tuple[Place, PlaceVerdict] | None:
        """Where the caller is and what the rules do there; None if the address is not known."""
        address = caller_address()
        if not address:
            return None
        place = Place(address, (await self._find(address)).country if _names_countries(wanted) else "")
        return place, judge(wanted, place)

    async def _applies(self, holder: Org | Instance, after: LoginRules, actor: str) -> bool:
        account = await self.accounts.find_active(actor)
        if account is None or (isinstance(holder, Org) and account.org.id != holder.id):
            return False
        return not (after.exempt_instance_owners and await self.first_factors.is_owner(actor))

    async def _find(self, address: str) -> CountryFound:
        return await self.bus.call(FIND_COUNTRY, FindCountry(address=address))


def _names_countries(rules: SignInFrom | None) -> bool:
    return rules is not None and any(one.countries for one in rules.rules)


def _refused(address: str, rule: str) -> ServiceError:
    text = f"{OWN_ADDRESS.text} {address} ({rule})"
    return ServiceError(OWN_ADDRESS.kind, OWN_ADDRESS.id, text, violations=(Violation("signInFrom", text),))
