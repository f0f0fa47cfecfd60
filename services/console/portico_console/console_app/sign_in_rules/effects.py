"""Whom a change of the rules would lock out, or require to do something new."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_console.console_app.sign_in_rules.first_factors import CHOSEN, LIMITS, types_of
from portico_console.console_app.sign_in_rules.place import Place
from portico_console.console_app.sign_in_rules.places import limits_places, place_message
from portico_console.console_app.sign_in_rules.sections import BY_EMAIL, EXPIRY, FACTORS, LOGIN, Section
from portico_console.messages import message

MOST: Final = 10_000
"""Maximum number of users that the API counts."""


@dataclass(frozen=True, slots=True)
class Effect:
    """`text` is a message for one user, `plural` for several; `locks_out`: they can no longer sign in."""

    text: str
    plural: str
    count: int
    name: str = ""
    locks_out: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """`names` are login names of some users who can no longer sign in."""

    found: tuple[Effect, ...] = ()
    partial: bool = False
    names: tuple[str, ...] = ()


_REGISTER: Final = (
    message("One user has no second factor and must register one at the next sign-in."),
    message("%(count)s users have no second factor and must register one at the next sign-in."),
)
_CANNOT_REGISTER: Final = (
    message("One of them has no verified email address to receive the code, and cannot sign in until it is verified."),
    message("%(count)s of them have no verified email address to receive the code, and cannot sign in until it is verified."),
)  # fmt: skip
_LOSE_FACTOR: Final = (
    message("One user loses the only second factor and signs in with the password alone."),
    message("%(count)s users lose their only second factor and sign in with the password alone."),
)
_PASSKEY: Final = (
    message("One user can only sign in with a passkey, and can no longer sign in."),
    message("%(count)s users can only sign in with a passkey, and can no longer sign in."),
)
_VERIFY: Final = (
    message("One user has no verified email address and must verify it at the next sign-in."),
    message("%(count)s users have no verified email address and must verify it at the next sign-in."),
)
_PROVIDERS: Final = (
    message("One user can only sign in through an identity provider, and can no longer sign in."),
    message("%(count)s users can only sign in through an identity provider, and can no longer sign in."),
)
_LINKED: Final = (
    message("One user signs in with %(name)s, and can no longer do so."),
    message("%(count)s users sign in with %(name)s, and can no longer do so."),
)
_ONLY_LINKED: Final = (
    message("One user has no other way to sign in than %(name)s."),
    message("%(count)s users have no other way to sign in than %(name)s."),
)
_NO_FIRST: Final = (
    message("One user has none of the allowed first factors, and can no longer sign in."),
    message("%(count)s users have none of the allowed first factors, and can no longer sign in."),
)
_AT: Final = {
    "PLACE_ACTION_ALLOW": message("Your own address %(name)s may sign in."),
    "PLACE_ACTION_SECOND_FACTOR": message("Your own address %(name)s needs a second factor."),
    "PLACE_ACTION_REFUSE": message("Your own address %(name)s is refused."),
}
_NOT_COUNTED: Final = message(
    "Portico stores no addresses of users, and cannot count whom the rules by network and country affect."
)
_CALLER: Final = message("You are one of them: you could not sign in again.")
_EXPIRED: Final = (
    message("The password of one user is older, and must be changed at the next sign-in."),
    message("The passwords of %(count)s users are older, and must be changed at the next sign-in."),
)


async def effects_of(
    place: Place, section: Section, old: Mapping[str, Any], new: Mapping[str, Any], names: Mapping[str, str]
) -> Effects:
    """`names` are those of the identity providers; changes that affect no user have no effects."""
    if section is LOGIN:
        return await _of_login(place, old, new, names)
    if section is EXPIRY:
        days, before = int(new["maxAgeDays"]), int(old["maxAgeDays"])
        if days and (not before or days < before):
            counts = await _count(place, (), days)
            return _effects([_of(_EXPIRED, counts, "expiredPasswords")], counts)
    return Effects()


async def effects_of_reset(place: Place) -> Effects:
    """Whom the rules of the instance lock out of an organization that has its own."""
    method = place.method("CountAffectedUsers")
    if not place.frame.may_call(method):
        return Effects()
    counts: Mapping[str, Any] = await place.call(method, {"inherited": True})
    return _effects(_of_first_factors(counts), counts)


def _of_first_factors(counts: Mapping[str, Any]) -> list[Effect]:
    caller = int(bool(counts.get("callerWithoutFirstFactor")))
    return [
        _of(_NO_FIRST, counts, "withoutFirstFactor", locks_out=True),
        Effect(_CALLER, _CALLER, caller, locks_out=True),
    ]


async def _of_login(place: Place, old: Mapping[str, Any], new: Mapping[str, Any], names: Mapping[str, str]) -> Effects:
    may_count = place.frame.may_call(place.method("GetProviderUsage", "IDPService"))
    removed = old["providers"] - new["providers"] if new["allowExternalIdp"] and may_count else set()
    lost = old["factors"] - new["factors"]
    turned_on = [name for name in ("forceMfa", "verifiedEmailRequired") if new[name] and not old[name]]
    external_off = old["allowExternalIdp"] and not new["allowExternalIdp"]
    limited = new[LIMITS] and (old[LIMITS], old[CHOSEN]) != (new[LIMITS], new[CHOSEN])
    places = place_message(new) if place_message(new) != place_message(old) and limits_places(new) else {}
    if not (removed or lost or turned_on or external_off or limited or places):
        return Effects()
    more = {**(_first_of(new) if limited else {}), **places}
    async with asyncio.TaskGroup() as group:
        after = group.create_task(_count(place, new["factors"], more=more))
        before = group.create_task(_count(place, old["factors"])) if lost and not new["forceMfa"] else None
        usages = {id: group.create_task(_usage(place, id)) for id in sorted(removed)}
    counts = after.result()
    found = _of_factors(counts, before.result() if before else {}, new, lost, newly="forceMfa" in turned_on)
    if "passkey" in lost:
        found.append(_of(_PASSKEY, counts, "onlyPasskey", locks_out=True))
    if "verifiedEmailRequired" in turned_on:
        found.append(_of(_VERIFY, counts, "withoutVerifiedEmail"))
    if limited:
        found += _of_first_factors(counts)
    if external_off:
        found.append(_of(_PROVIDERS, counts, "onlyProvider", locks_out=True))
    if places:
        found += _of_places(counts)
    for id, usage in usages.items():
        name = names.get(id, id)
        found.append(_of(_LINKED, usage.result(), "linkedUsers", name=name))
        found.append(_of(_ONLY_LINKED, usage.result(), "onlyWayIn", name=name, locks_out=True))
    return _effects(found, counts)


def _of_places(counts: Mapping[str, Any]) -> list[Effect]:
    """What applies to the address of the administrator; those of other users are not known."""
    found, unknown = counts.get("callerPlace", {}), Effect(_NOT_COUNTED, _NOT_COUNTED, 1)
    text = _AT.get(found.get("action", ""))
    if text is None:
        return [unknown]
    rule, locks_out = found["rule"], found["action"] == "PLACE_ACTION_REFUSE"
    name = found["address"] if rule in ("elsewhere", found["address"]) else f"{found['address']} ({rule})"
    return [Effect(text, text, 1, name, locks_out), unknown]


def _of_factors(
    after: Mapping[str, Any], before: Mapping[str, Any], new: Mapping[str, Any], lost: Collection[str], *, newly: bool
) -> list[Effect]:
    if new["forceMfa"] and (newly or lost):
        found = [_of(_REGISTER, after, "withoutFactor")]
        if new["enrolment"] == BY_EMAIL:
            found.append(_of(_CANNOT_REGISTER, after, "withoutFactorOrVerifiedEmail", locks_out=True))
        return found
    more = int(after.get("withoutFactor", 0)) - int(before.get("withoutFactor", 0))
    return [Effect(*_LOSE_FACTOR, more)] if lost and more > 0 else []


def _of(texts: tuple[str, str], counts: Mapping[str, Any], field: str, *, name: str = "", locks_out: bool = False) -> Effect:  # fmt: skip
    return Effect(*texts, int(counts.get(field, 0)), name, locks_out)


def _effects(found: list[Effect], counts: Mapping[str, Any]) -> Effects:
    shown, names = tuple(one for one in found if one.count), tuple(counts.get("loginNames", ()))
    return Effects(shown, int(counts.get("counted", 0)) >= MOST, names)


def _first_of(values: Mapping[str, Any]) -> dict[str, list[str]]:
    return {"firstFactors": types_of(values[CHOSEN]), "idpIds": sorted(values["providers"])}


async def _count(
    place: Place, factors: Collection[str], max_age_days: int = 0, more: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    asked: dict[str, Any] = {"secondFactors": [], "multiFactors": [], "maxAgeDays": max_age_days, **(more or {})}
    for one in FACTORS:
        if one.key in factors:
            asked[one.list].append(one.type)
    found: Mapping[str, Any] = await place.call(place.method("CountAffectedUsers"), asked)
    return found


async def _usage(place: Place, id: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = await place.call(place.method("GetProviderUsage", "IDPService"), {"idpId": id})
    return found
