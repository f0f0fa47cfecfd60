"""Which account a user has at a target, what has to be done about it, and doing it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from portico_users.scim_targets.client import Account, AccountRefused, Resource, TargetClient
from portico_users.scim_targets.runs import Step
from portico_users.scim_targets.target import ScimTarget
from portico_users.scim_targets.target_users import TargetUser
from portico_users.scim_targets.wanted import Leaver, WantedAccount

NAME_TAKEN: Final = "the target has an account with this userName that belongs to another externalId"
NOT_ADOPTED: Final = "the target has an account with this userName; the setting adopts takes it over"
NOT_PROVEN: Final = "the account with this userName at the target has another address than the user's verified one"
TWICE: Final = "the target has several accounts for this user"
HIDDEN: Final = "the target refuses the userName as taken, but finds no account with it"

_NAMES: Final = ("givenName", "familyName")
_READ_ONLY: Final = frozenset({"meta", "groups", "password"})


class Decision(NamedTuple):
    """What has to be done; ``differences`` are the names of attributes, ``reason`` is why an account is refused."""

    step: Step
    account: Account | None = None
    differences: tuple[str, ...] = ()
    reason: str = ""


async def decide(client: TargetClient, wanted: WantedAccount | Leaver, person: TargetUser | None) -> Decision:
    """Looks the account up: by the id that is known, by our id as its externalId, then by its userName."""
    account = await _find_own(client, wanted.user_id, person)
    if isinstance(wanted, Leaver) or account is not None:
        return judge(client.target, wanted, account, person)
    if not wanted.active or wanted.problem:
        return Decision(Step.REFUSE if wanted.problem else Step.NONE, reason=wanted.problem)
    return await _find_by_name(client, wanted)


async def _find_own(client: TargetClient, user_id: str, person: TargetUser | None) -> Account | None:
    if person is not None and person.remote_id:
        account = await client.find(person.remote_id)
        if account is not None and is_own(account, user_id):
            return account
    try:
        named = await client.find_by("externalId", user_id)
    except AccountRefused as error:
        if error.status != 400:
            raise
        named = []  # no filter by externalId; the userName decides
    found = [one for one in named if one.external_id == user_id]
    if len(found) > 1:
        raise AccountRefused(TWICE)
    return found[0] if found else None


async def _find_by_name(client: TargetClient, wanted: WantedAccount) -> Decision:
    found = [
        one
        for one in await client.find_by("userName", wanted.user_name)
        if one.user_name.casefold() == wanted.user_name.casefold()
    ]
    if not found:
        return Decision(Step.CREATE)
    if any(one.external_id not in ("", wanted.user_id) for one in found):
        return Decision(Step.REFUSE, reason=NAME_TAKEN)
    if len(found) > 1:
        return Decision(Step.REFUSE, reason=TWICE)
    if not client.target.adopts and not found[0].external_id:
        return Decision(Step.REFUSE, reason=NOT_ADOPTED)
    if not found[0].external_id and not _has_address(found[0], wanted):
        return Decision(Step.REFUSE, reason=NOT_PROVEN)
    return Decision(Step.ADOPT, found[0], differences_of(wanted, found[0].resource))


def _has_address(account: Account, wanted: WantedAccount) -> bool:
    """Users choose login names, and an account such as ``admin`` is not theirs: the verified address has to be."""
    proven = {one["value"].casefold() for one in wanted.resource.get("emails", ())}
    return not proven.isdisjoint(
        {account.user_name.casefold(), *(str(one.get("value", "")).casefold() for one in _emails(account.resource))}
    )


def is_own(account: Account, user_id: str) -> bool:
    """An id at the target may have been given to another account since."""
    return account.external_id in ("", user_id)


def judge(
    target: ScimTarget, wanted: WantedAccount | Leaver, account: Account | None, person: TargetUser | None
) -> Decision:
    """Decides about an account that is known to be the user's, or about none."""
    if account is None:
        return Decision(Step.CREATE if isinstance(wanted, WantedAccount) and wanted.active else Step.NONE)
    if isinstance(wanted, Leaver) and target.deletes_leavers:
        return Decision(Step.DELETE, account)
    if isinstance(wanted, Leaver) or (wanted.problem and not wanted.active):
        return Decision(Step.DEACTIVATE if is_active(account) else Step.NONE, account, ("active",))
    if wanted.problem:
        return Decision(Step.REFUSE, account, reason=wanted.problem)
    names = differences_of(wanted, account.resource)
    if person is not None and person.sent == wanted.summary:
        # The target got the values and does not keep them; otherwise every comparison would send them again.
        names = tuple(name for name in names if name == "active" or _get(account.resource, name) is not None)
    if "active" in names and not wanted.active:
        return Decision(Step.DEACTIVATE, account, names)
    return Decision(Step.CHANGE if names else Step.NONE, account, names)


def is_active(account: Account) -> bool:
    """A target that does not state it counts as active, so that a leaver is set to inactive."""
    active = account.resource.get("active", True)
    return str(active).lower() != "false"


def differences_of(wanted: WantedAccount, stored: Resource) -> tuple[str, ...]:
    """The names of attributes that have other values at the target; its userName may differ in case."""
    found = [name for name in ("externalId", "displayName") if wanted.resource[name] != stored.get(name)]
    if str(stored.get("userName", "")).casefold() != wanted.user_name.casefold():
        found.append("userName")
    names = stored.get("name")
    kept = names if isinstance(names, dict) else {}
    found += [f"name.{name}" for name in _NAMES if wanted.resource["name"].get(name, "") != (kept.get(name) or "")]
    addresses = {str(one.get("value", "")).casefold() for one in _emails(stored)}
    if any(one["value"].casefold() not in addresses for one in wanted.resource.get("emails", ())):
        found.append("emails")
    if is_active(Account("", "", "", stored)) is not wanted.active:
        found.append("active")
    return tuple(sorted(found))


async def carry_out(
    client: TargetClient, decision: Decision, wanted: WantedAccount | Leaver, begin: Callable[[], Awaitable[None]]
) -> str:
    """Does what was decided. Returns the id of the account at the target, empty for none.

    Raises `AccountRefused` or `TargetFailed`. ``begin`` is awaited before an account is requested.
    """
    account = decision.account
    if decision.step is Step.REFUSE:
        raise AccountRefused(decision.reason)
    if decision.step is Step.CREATE and isinstance(wanted, WantedAccount):
        await begin()
        return (await _create(client, wanted)).id
    if account is None:
        return ""
    if decision.step is Step.DELETE:
        await client.delete(account.id)
        return ""
    if decision.differences and decision.step is not Step.NONE:
        resource = wanted.resource if isinstance(wanted, WantedAccount) and not wanted.problem else {"active": False}
        await _change(client, account, resource, decision.differences)
    return account.id


async def _create(client: TargetClient, wanted: WantedAccount) -> Account:
    account = await client.create(wanted.resource)
    if account is not None:
        return account
    # The account appeared since it was looked up, or the lookup does not find all accounts.
    decision = await _find_by_name(client, wanted)
    if decision.step is not Step.ADOPT or decision.account is None:
        raise AccountRefused(decision.reason or HIDDEN, 409)
    await _change(client, decision.account, wanted.resource, decision.differences)
    return decision.account


async def _change(client: TargetClient, account: Account, wanted: Resource, names: tuple[str, ...]) -> None:
    """By PATCH with the attributes that differ; by PUT of the whole account where the target has no PATCH.

    The read-only ``id`` is in no PATCH: servers refuse it.
    """
    if not names:
        return
    values = {name: _value(account.resource, wanted, name) for name in names}
    operations = [
        {"op": "replace", "path": name, "value": value} if value not in ("", None) else {"op": "remove", "path": name}
        for name, value in values.items()
    ]
    if await client.patch(account.id, operations):
        return
    whole = {name: value for name, value in account.resource.items() if name not in _READ_ONLY}
    for name, value in values.items():
        _set(whole, name, value)
    meta = account.resource.get("meta")
    version = meta.get("version") if isinstance(meta, dict) else None
    await client.replace(account.id, whole, version if isinstance(version, str) and version.isprintable() else "")


def _value(stored: Resource, wanted: Resource, name: str) -> Any:
    if name != "emails":
        return _get(wanted, name)
    # Other addresses stay: the account may have got them at the target.
    others = [one for one in _emails(stored) if not one.get("primary")]
    return [*wanted["emails"], *others]


def _emails(resource: Resource) -> list[Resource]:
    found = resource.get("emails")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _get(resource: Resource, name: str) -> Any:
    first, _, second = name.partition(".")
    value = resource.get(first)
    return (value.get(second) if isinstance(value, dict) else None) if second else value


def _set(resource: Resource, name: str, value: Any) -> None:
    first, _, second = name.partition(".")
    if not second:
        resource[first] = value
        return
    stored = resource.get(first)
    members = dict(stored) if isinstance(stored, dict) else {}
    members.pop(second, None)
    resource[first] = {**members, second: value} if value else members
