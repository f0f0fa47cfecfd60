"""The page "Sign-in rules" of an organization and of the instance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.requests import text
from portico_console.console_app.sign_in_rules import saving
from portico_console.console_app.sign_in_rules.changes import differences_of
from portico_console.console_app.sign_in_rules.effects import Effects, effects_of
from portico_console.console_app.sign_in_rules.first_factors import FIRST_FACTORS
from portico_console.console_app.sign_in_rules.place import Place
from portico_console.console_app.sign_in_rules.places import ACTIONS
from portico_console.console_app.sign_in_rules.sections import (
    BY_KEY,
    ENROLMENTS,
    FACTORS,
    SECTIONS,
    Section,
    form_values,
    problems_of,
    typed_values,
    values_of,
)
from portico_console.forms.differences import is_overtaken
from portico_console.messages import message
from portico_console.request_context import RequestContext

SAVED: Final = message("The rules for %(name)s were saved.")
SAVED_OF_INSTANCE: Final = message("The rules of the instance were saved.")
UNCHANGED: Final = message("Nothing was changed.")
NO_SECTION = ErrorCode("CONS-269", Kind.NOT_FOUND, "Page not found.", "Go back to the sign-in rules.")

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})


async def show_rules(ctx: RequestContext) -> Response:
    place = Place(ctx, await load_frame(ctx))
    typed = ctx.typed_before
    section = BY_KEY.get(typed.get("section", "")) if typed else None
    if section is None or typed is None:
        return await _page(place)
    return await _page(place, section, typed_values(section, typed), typed.get("sequence", ""))


async def save_rules(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    section = BY_KEY.get(typed.get("section", ""))
    if section is None:
        raise NO_SECTION.error()
    place = Place(ctx, await load_frame(ctx))
    new, sequence = typed_values(section, typed), typed.get("sequence", "")
    if "edit" in typed:
        return await _page(place, section, new, sequence)
    try:
        async with ctx.keeping(typed, at=place.here):
            return await _save(place, section, typed, new)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _page(place, section, new, sequence, error=error, status=error.rendering.status)


async def _save(place: Place, section: Section, typed: Mapping[str, str], new: Mapping[str, Any]) -> Response:
    """Saves at once what affects no user; otherwise the affected users are shown first."""
    ctx = place.ctx
    policies, providers = await place.read()
    old, sequence = values_of(section, policies[section.key]), typed.get("sequence", "")
    if problems := problems_of(section, new, old):
        return await _page(place, section, new, sequence, problems=problems, status=400)
    if old == new:
        return await ctx.see_notice(place.here, UNCHANGED)
    for method in saving.methods_of(place, section, old, new):
        ctx.require_recent(method)
    if "confirmed" not in typed:
        effects = await effects_of(place, section, old, new, _names(policies, providers))
        if effects.found:
            return _summary(place, section, new, effects, sequence)
    await saving.save(place, section, policies[section.key], old, new, sequence)
    if not place.org_id:
        return await ctx.see_notice(place.here, SAVED_OF_INSTANCE)
    return await ctx.see_notice(place.here, SAVED, name=str(place.frame.org["name"]))


async def _page(
    place: Place,
    section: Section | None = None,
    values: Mapping[str, Any] | None = None,
    sequence: str = "",
    *,
    problems: Mapping[str, Any] | None = None,
    error: ServiceError | None = None,
    status: int = 200,
) -> Response:
    """`values` are what was typed in `section`, and `sequence` is the version of the form that they were typed into."""
    policies, providers = await place.read()
    shown = {one.key: values_of(one, policies[one.key]) for one in SECTIONS}
    versions = {one.key: text(policies[one.key], "details.sequence") for one in SECTIONS}
    if section is not None and values is not None:
        shown[section.key] = dict(values)
        versions[section.key] = versions[section.key] if is_overtaken(error) else sequence or versions[section.key]
    names = _names(policies, providers)
    overtaken = is_overtaken(error)
    stored_now = (
        differences_of(section, values, values_of(section, policies[section.key]), names)
        if overtaken and section and values
        else ()
    )
    return framed(
        place.ctx,
        "sign_in_rules/rules.html",
        place.frame,
        "login" if place.org_id else "instance-login",
        status=status,
        sections=[(one, policies[one.key], shown[one.key], versions[one.key]) for one in SECTIONS],
        factors=FACTORS,
        enrolments=ENROLMENTS,
        first_factors=FIRST_FACTORS,
        place_actions=ACTIONS,
        providers=sorted(names.items(), key=lambda one: one[1].casefold()),
        editable=place.may_change(),
        target=place.here,
        base=place.base,
        may_add=place.frame.may("org.idp.write" if place.org_id else "iam.idp.write"),
        refused=section.key if section and (problems or error) else "",
        typed_in=section.key if section else "",
        problems=problems or {},
        problem=place.ctx.text_of(error) if error else "",
        overtaken=overtaken,
        stored_now=stored_now,
    )


def _summary(place: Place, section: Section, new: Mapping[str, Any], effects: Effects, sequence: str) -> Response:
    return framed(
        place.ctx,
        "sign_in_rules/affected.html",
        place.frame,
        "login" if place.org_id else "instance-login",
        section=section,
        effects=effects,
        fields={**form_values(section, new), "section": section.key, "sequence": sequence},
        target=place.here,
    )


def _names(policies: Mapping[str, Any], providers: list[Any]) -> dict[str, str]:
    """The names of the identity providers that are or can be offered."""
    offered = {one["idpId"]: str(one["idpName"] or one["idpId"]) for one in policies["login"].get("idps", ())}
    return offered | {one["id"]: str(one["name"] or one["id"]) for one in providers}
