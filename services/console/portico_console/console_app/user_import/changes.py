"""What a row changes of a user who exists: planned for the preview, and planned again before it is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.screens.requests import find, text
from portico_console.console_app.user_import.places import NO_GROUP, NO_ROLE, Places, Role, folded, parts_of
from portico_console.console_app.user_import.update_columns import BY_WORD
from portico_console.management.api import Fields
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import SIGN_IN_AGAIN
from portico_console.request_context import RequestContext

_UPDATE: Final = "portico.user.v2.UserService/UpdateHumanUser"
_MEMBERS: Final = "portico.management.v1.GroupService"
_GRANTS: Final = "portico.management.v1.UserGrantService"

_PROFILE: Final = {
    "first": "firstName",
    "last": "lastName",
    "name": "displayName",
    "language": "preferredLanguage",
}
_CONTACTS: Final = {"email": "email", "phone": "phone"}


@dataclass(slots=True)
class Plan:
    """`changes` are for people to read; `fields` those of the request; groups by id, and roles by project."""

    user: str
    changes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    joined: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    roles: dict[str, tuple[Role, list[str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planner:
    ctx: RequestContext
    places: Places
    match: str
    verified: bool

    async def plan(self, user: Fields, values: Mapping[str, str]) -> Plan:
        """An empty cell changes nothing."""
        plan = Plan(str(user["userId"]))
        given = {word: value for word, value in values.items() if value and word != self.match}
        self._profile(plan, user, given)
        for word, name in _CONTACTS.items():
            value, before = given.get(word, ""), text(user, f"human.{name}.{name}")
            if value and value != before:
                self._changed(plan, word, before, value)
                how: dict[str, Any] = {"isVerified": True} if self.verified else {"returnCode": {}}
                plan.fields[name] = {name: value, **how}
        if (name := given.get("user-name", "")) and name != user["username"]:
            self._changed(plan, "user-name", str(user["username"]), name)
            plan.fields["username"] = name
        self._groups(plan, user, given.get("groups", ""))
        if given.get("roles"):
            await self._roles(plan, given["roles"])
        return plan

    def _profile(self, plan: Plan, user: Fields, given: Mapping[str, str]) -> None:
        stored = {name: one for name, one in user["human"]["profile"].items() if one}
        wanted = dict(stored)
        for word, name in _PROFILE.items():
            value = given.get(word, "")
            value = value.replace("_", "-") if word == "language" else value
            if value and value != stored.get(name, ""):
                self._changed(plan, word, str(stored.get(name, "")), value)
                wanted[name] = value
        if wanted != stored:
            if "name" not in given and stored.get("displayName") == _full_name(stored):
                wanted["displayName"] = _full_name(wanted)
            plan.fields["profile"] = wanted

    def _groups(self, plan: Plan, user: Fields, cell: str) -> None:
        held = {folded(one) for one in find(user, "human.groupNames") or ()}
        for part in parts_of(cell):
            group = self.places.groups.get(part.name) or self.places.groups.get(folded(part.name))
            if group is None:
                plan.problems.append(self._words(NO_GROUP, name=part.name))
            elif (folded(group[1]) in held) is part.removes:
                (plan.left if part.removes else plan.joined).append(group[0])
                plan.changes.append(f"{'−' if part.removes else '+'} {group[1]}")

    async def _roles(self, plan: Plan, cell: str) -> None:
        held = await _grants_of(self.ctx, plan.user)
        for part in parts_of(cell):
            role = self.places.roles.get(folded(part.name))
            if role is None:
                plan.problems.append(self._words(NO_ROLE, name=part.name))
                continue
            before = [str(one) for one in held.get(role.project, {}).get("roleKeys", ())]
            _, keys = plan.roles.get(role.project, (role, before))
            if (role.key in keys) is part.removes:
                now = [one for one in keys if one != role.key] if part.removes else [*keys, role.key]
                plan.roles[role.project] = (role, now)
                plan.changes.append(f"{'−' if part.removes else '+'} {role.title}")

    def _changed(self, plan: Plan, word: str, before: str, after: str) -> None:
        plan.changes.append(f"{self.ctx.words.gettext(BY_WORD[word].title)}: {before or '–'} → {after}")

    def _words(self, sentence: str, **values: str) -> str:
        return self.ctx.words.gettext(sentence) % values


async def carry_out(ctx: RequestContext, plan: Plan) -> list[str]:
    """Returns what failed, and why; the other parts are done."""
    problems: list[str] = []
    if plan.fields:
        await _try(ctx, problems, "", _UPDATE, {"userId": plan.user, **plan.fields})
    for method, groups in (("AddGroupMember", plan.joined), ("RemoveGroupMember", plan.left)):
        for group in groups:
            await _try(ctx, problems, "groups", f"{_MEMBERS}/{method}", {"groupId": group, "userId": plan.user})
    held = await _grants_of(ctx, plan.user) if plan.roles else {}
    for role, keys in plan.roles.values():
        await _try(ctx, problems, "roles", *_grant(plan.user, role, keys, held.get(role.project)))
    return problems


def _grant(user: str, role: Role, keys: list[str], held: Any) -> tuple[str, dict[str, Any]]:
    if held is None:
        fields = {"userId": user, "projectId": role.project, "roleKeys": keys}
        return f"{_GRANTS}/AddUserGrant", fields | ({"projectGrantId": role.grant} if role.grant else {})
    named = {"userId": user, "grantId": str(held["id"])}
    if not keys:
        return f"{_GRANTS}/RemoveUserGrant", named
    return f"{_GRANTS}/UpdateUserGrant", named | {"roleKeys": keys}


async def _try(ctx: RequestContext, problems: list[str], column: str, method: str, fields: dict[str, Any]) -> None:
    try:
        await ctx.api.call(method, fields, org=ctx.path["org"])
    except NotRecent:
        problems.append(ctx.words.gettext(SIGN_IN_AGAIN))
    except ServiceError as error:
        if error.kind is Kind.UNAUTHENTICATED:
            raise
        title = f"{ctx.words.gettext(BY_WORD[column].title)}: " if column else ""
        problems.append(f"{title}{ctx.text_of(error) or error.id}")


async def _grants_of(ctx: RequestContext, user: str) -> dict[str, Any]:
    """Returns the role grants of the organization by project."""
    fields = {"query": {"limit": 1000}, "queries": [{"userIdQuery": {"userId": user}}]}
    found = await ctx.api.call(f"{_GRANTS}/ListUserGrants", fields, org=ctx.path["org"])
    return {str(one["projectId"]): one for one in found.get("result", ())}


def _full_name(profile: Mapping[str, Any]) -> str:
    return f"{profile.get('firstName', '')} {profile.get('lastName', '')}".strip()
