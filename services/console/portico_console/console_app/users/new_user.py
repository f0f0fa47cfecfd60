"""The form of a new user: who it is, and how the user gets in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from portico_contracts.languages import OWN_NAMES
from portico_oauth.errors import Kind, ServiceError, Violation
from portico_web.catalogue import load_catalogue
from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.requests import address
from portico_console.console_app.users.creation import ADD_USER, ONE_NAME, create_user
from portico_console.console_app.users.user_page import ONE, USER_API, see_kept
from portico_console.forms.building import fields_of
from portico_console.forms.field import Field, Widget, all_of, secrets_of
from portico_console.forms.filling import Problem, begun, problems_of, with_problems
from portico_console.forms.reading import NOT_READ, Typed, read
from portico_console.messages import message
from portico_console.request_context import PACKAGE, RequestContext

_INVITE: Final = f"{USER_API}/CreateInviteCode"

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

_FIELDS: Final = {
    "profile.firstName": message("First name"),
    "profile.lastName": message("Last name"),
    "email.email": message("Email"),
    "profile.preferredLanguage": message("Language"),
    "username": message("User name"),
    "profile.displayName": message("Display name"),
    "profile.nickName": message("Nickname"),
    "profile.gender": message("Gender"),
    "phone.phone": message("Phone"),
    "password.password": message("Password"),
    "password.changeRequired": message("Must be changed at the next sign-in"),
}
"""Labels by path in the request, in English and translated."""

BY_DEFAULT: Final = message("Default: the email address.")

_HINTS: Final = {"username": BY_DEFAULT, "profile.lastName": ONE_NAME}

WAYS: Final = ("invite", "password", "verified")

CREATED: Final = message("%(name)s was created.")
INVITED: Final = message("%(name)s was created and invited.")
_POLICY: Final = "portico.management.v1.PolicyService/GetLoginPolicy"

NO_PASSWORD: Final = message("Enter a password.")
NOT_INVITED: Final = message("The user was created, but the invitation was not sent.")


async def show_new_user(ctx: RequestContext) -> Response:
    typed = ctx.typed_before
    if typed is not None:
        return await _page(ctx, read(_fields(ctx), typed, change=False).fields, typed)
    return await _page(ctx, begun(_fields(ctx), {"password": {"changeRequired": True}}), {"how": WAYS[0]})


async def submit_new_user(ctx: RequestContext) -> Response:
    """Creates the user and, if so chosen, sends the invitation, without any other email."""
    typed = await ctx.read_form()
    form = read(_fields(ctx), typed, change=False)
    how = typed.get("how", WAYS[0])
    try:
        request = _request(ctx, form, typed, how)
        async with ctx.keeping(typed, secrets=secrets_of(form.fields)):
            user = await create_user(ctx, request, ctx.path["org"])
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _refused(ctx, form, typed, error)
    page = address(ctx, ONE, {"user": user})
    if how != "invite":
        return await ctx.see_notice(page, CREATED, name=_name(form))
    try:
        await ctx.api.call(_INVITE, {"userId": user, "sendCode": {}}, org=ctx.path["org"])
    except ServiceError as error:
        if error.kind is Kind.UNAUTHENTICATED:
            raise
        return await see_kept(ctx, page, "problem", {"sentence": NOT_INVITED, "reason": ctx.text_of(error)})
    return await ctx.see_notice(page, INVITED, name=_name(form))


def _fields(ctx: RequestContext) -> tuple[Field, ...]:
    """The shown fields, in the groups of the request."""
    translate = load_catalogue(PACKAGE, ctx.language.tag).gettext
    names = tuple(dict.fromkeys(path.partition(".")[0] for path in _FIELDS))
    return tuple(_shown(field, translate) for field in fields_of(ADD_USER, names))


def _shown(field: Field, translate: Callable[[str], str]) -> Field:
    if field.widget is Widget.GROUP:
        return replace(field, children=tuple(_shown(one, translate) for one in field.children if one.path in _FIELDS))
    label, hint = translate(_FIELDS[field.path]), _HINTS.get(field.path, "")
    required = field.required and field.path != "profile.lastName"
    field = replace(field, label=label, help="", hint=hint, required=required)
    if field.name == "preferredLanguage":
        return replace(field, widget=Widget.CHOICE, choices=tuple(OWN_NAMES.items()))
    return field


def _request(ctx: RequestContext, form: Typed, typed: Mapping[str, str], how: str) -> dict[str, Any]:
    request = {**form.message, "organisation": {"orgId": ctx.path["org"]}}
    password = request.pop("password", {})
    if how == "password":
        if not password.get("password"):
            raise NOT_READ.error(violations=(Violation("password.password", NO_PASSWORD),))
        request["password"] = password
    email = request.get("email", {})
    if how == "invite":
        email = {**email, "returnCode": {}}  # the code is in the answer, so that only the invitation is sent
    elif how == "verified" or "email_verified" in typed:
        email = {**email, "isVerified": True}
    return {**request, "email": email}


def _name(form: Typed) -> str:
    profile = form.message.get("profile", {})
    full = f"{profile.get('firstName', '')} {profile.get('lastName', '')}".strip()
    return str(profile.get("displayName") or full)


async def _refused(ctx: RequestContext, form: Typed, typed: Mapping[str, str], error: ServiceError) -> Response:
    fields = with_problems(form.fields, error.violations)
    return await _page(
        ctx,
        fields,
        typed,
        status=error.rendering.status,
        problem=ctx.text_of(error),
        left=problems_of(fields, error.violations),
    )


async def _page(
    ctx: RequestContext,
    fields: Sequence[Field],
    typed: Mapping[str, str],
    *,
    status: int = 200,
    problem: str = "",
    left: Sequence[Problem] = (),
) -> Response:
    frame = await load_frame(ctx)
    by_path = {one.path: one for one in all_of(tuple(fields))}
    folded = ("username", "profile.displayName", "profile.nickName", "profile.gender", "phone.phone")
    return framed(
        ctx,
        "users/new.html",
        frame,
        "users",
        status=status,
        problem=problem,
        left=left,
        by_path=by_path,
        folded=[by_path[path] for path in folded],
        more_open=any(by_path[path].value or by_path[path].problem for path in folded),
        how=typed.get("how", WAYS[0]),
        with_password=await _uses_passwords(ctx, frame),
        email_verified="email_verified" in typed,
        list_href=address(ctx, "/orgs/{org}/users"),
        target=address(ctx, "/orgs/{org}/users/do/new"),
    )


async def _uses_passwords(ctx: RequestContext, frame: Frame) -> bool:
    """Also where the caller may not read the rules: the API refuses a password that they do not allow."""
    if not frame.may_call(_POLICY):
        return True
    policy = (await ctx.api.call(_POLICY, {}, org=ctx.path["org"]))["policy"]
    first = policy.get("firstFactors")
    return first is None or "FIRST_FACTOR_TYPE_PASSWORD" in first.get("types", ())
