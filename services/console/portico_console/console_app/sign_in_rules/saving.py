"""Saves one section: the policy, and the lists of factors and providers, which have separate operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_console.console_app.sign_in_rules.first_factors import CHOSEN, LIMITS, PROVIDER
from portico_console.console_app.sign_in_rules.place import Place
from portico_console.console_app.sign_in_rules.sections import FACTORS, LOGIN, Section, message_of
from portico_console.messages import message

INHERITED: Final = message(
    "The instance offers these identity providers. To offer none here, turn off sign-in with identity providers."
)
NOTHING_LEFT = ErrorCode(
    "CONS-268",
    Kind.FAILED_PRECONDITION,
    "The instance offers these identity providers. To offer none here, turn off sign-in with identity providers.",
    "Turn off sign-in with identity providers, or keep one of them.",
)

_IGNORED: Final = frozenset({Kind.NOT_FOUND, Kind.ALREADY_EXISTS})


@dataclass(slots=True)
class _Saving:
    """Sends each call with the version that the one before it returned, so that no other change is overwritten."""

    place: Place
    sequence: str

    async def call(self, method: str, fields: Mapping[str, Any]) -> None:
        answer = await self.place.call(method, fields, self.sequence)
        self.sequence = str(answer["details"]["sequence"] or "")

    async def call_if_needed(self, method: str, fields: Mapping[str, Any]) -> bool:
        """Returns False when there is nothing to change."""
        try:
            await self.call(method, fields)
        except ServiceError as error:
            if error.kind not in _IGNORED:
                raise
            return False
        return True


async def save(
    place: Place, section: Section, policy: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any],
    sequence: str,
) -> None:  # fmt: skip
    saving = _Saving(place, sequence)
    inherited = bool(policy.get("isDefault", False)) and bool(place.org_id)
    if section is not LOGIN:
        await saving.call(place.changing(section, inherited=inherited), message_of(section, new))
        return
    # A required second factor must be possible after each call.
    await _change_factors(saving, "Add", new["factors"] - old["factors"])
    changes_rules = message_of(section, old) != message_of(section, new)
    # A rule that names providers needs one before, and keeps the last one until it is changed.
    providers_last = not (new[LIMITS] and PROVIDER in new[CHOSEN])
    if changes_rules and providers_last:
        await _change_rules(saving, section, message_of(section, new))
    if old["providers"] != new["providers"]:
        await _change_providers(saving, old["providers"], new["providers"])
    if changes_rules and not providers_last:
        await _change_rules(saving, section, message_of(section, new))
    await _change_factors(saving, "Remove", old["factors"] - new["factors"])


async def _change_rules(saving: _Saving, section: Section, fields: Mapping[str, Any]) -> None:
    """Updates the rules; an organization may override the lists but not yet the rules."""
    place = saving.place
    if place.org_id and await saving.call_if_needed(place.changing(section, inherited=True), fields):
        return
    await saving.call(place.changing(section, inherited=False), fields)


async def _change_factors(saving: _Saving, verb: str, keys: Iterable[str]) -> None:
    preposition = "To" if verb == "Add" else "From"
    for one in (factor for factor in FACTORS if factor.key in keys):
        method = saving.place.method(f"{verb}{one.kind}Factor{preposition}LoginPolicy")
        await saving.call_if_needed(method, {"type": one.type})


async def _change_providers(saving: _Saving, old: set[str], new: set[str]) -> None:
    """An organization's first provider replaces the instance's offer, so all of them are added again."""
    place, removed = saving.place, sorted(old - new)
    done = [
        await saving.call_if_needed(place.method("RemoveIDPFromLoginPolicy"), {"idpId": id}) for id in removed
    ]  # fmt: skip
    if removed and not new and not all(done):
        raise NOTHING_LEFT.error()
    for id in sorted(new):
        await saving.call_if_needed(place.method("AddIDPToLoginPolicy"), {"idpId": id})


def methods_of(place: Place, section: Section, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The operations that a change needs and that may need a recent sign-in."""
    found = [place.changing(section, inherited=False)]
    if section is LOGIN:
        found += [place.method("AddIDPToLoginPolicy")] if new["providers"] - old["providers"] else []
        found += [place.method("RemoveSecondFactorFromLoginPolicy")] if old["factors"] - new["factors"] else []
    return found
