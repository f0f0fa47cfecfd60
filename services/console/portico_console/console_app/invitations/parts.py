"""The parts of an invitation after the user was created: each can fail alone, and be tried again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.users.user_page import MANAGEMENT, USER_API
from portico_console.forms.reading import NOT_READ
from portico_console.management.diagnostics import NotRecent
from portico_console.messages import SIGN_IN_AGAIN, message
from portico_console.request_context import RequestContext

ADD_MEMBER: Final = f"{MANAGEMENT}.MemberService/AddOrgMember"
ADD_INSTANCE_MEMBER: Final = "portico.admin.v1.MemberService/AddIAMMember"
ADD_GRANT: Final = f"{MANAGEMENT}.UserGrantService/AddUserGrant"
INVITE: Final = f"{USER_API}/CreateInviteCode"

TITLES: Final = {
    "member": message("Administrator role"),
    "grant": message("Roles in a project"),
    "invite": message("Invitation by email"),
}


class Part(NamedTuple):
    """`word` is ``member``, ``grant`` or ``invite``; `project` is that of a grant.

    `keys` are roles, or the application of an invitation, if there is one.
    """

    word: str
    keys: tuple[str, ...] = ()
    project: str = ""


class Outcome(NamedTuple):
    part: Part
    problem: str


def refuse_unknown(parts: Iterable[Part]) -> None:
    """Raises CONS-263 for parts of a form that no page of ours had."""
    if any(one.word not in TITLES or (one.word != "invite" and not one.keys) for one in parts):
        raise NOT_READ.error()


def member_method(role: str) -> str:
    return ADD_INSTANCE_MEMBER if role.startswith("IAM_") else ADD_MEMBER


def require_recent(ctx: RequestContext, parts: Sequence[Part]) -> None:
    for part in parts:
        if part.word == "member":
            ctx.require_recent(member_method(part.keys[0]))


async def carry_out(ctx: RequestContext, user: str, parts: Sequence[Part], org: str) -> list[Outcome]:
    """Does all parts in their order; `problem` of a part that succeeded is empty."""
    found = []
    for part in parts:
        method, fields = _call(part)
        try:
            await ctx.api.call(method, {"userId": user, **fields}, org=org)
        except NotRecent:
            found.append(Outcome(part, ctx.words.gettext(SIGN_IN_AGAIN)))
        except ServiceError as error:
            if error.kind is Kind.UNAUTHENTICATED:
                raise
            found.append(Outcome(part, ctx.text_of(error)))
        else:
            found.append(Outcome(part, ""))
    return found


def _call(part: Part) -> tuple[str, Mapping[str, Any]]:
    if part.word == "member":
        return member_method(part.keys[0]), {"roles": list(part.keys)}
    if part.word == "grant":
        return ADD_GRANT, {"projectId": part.project, "roleKeys": list(part.keys)}
    return INVITE, {"sendCode": {"applicationId": part.keys[0]} if part.keys else {}}
