"""The claim rules on the page of an application, and the button for the most frequent one (decision 0141)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.reading import read_object
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.table import BY_KEY
from portico_console.forms.words import word
from portico_console.messages import message
from portico_console.request_context import RequestContext

PREVIEW: Final = "portico.management.v1.AppService/PreviewTokens"
SET: Final = "portico.management.v1.AppService/SetAppClaimRules"

EMAIL_AS_USER_NAME: Final[Mapping[str, Any]] = {
    "claim": "preferred_username",
    "source": "CLAIM_SOURCE_ATTRIBUTE",
    "key": "email",
    "scope": "profile",
    "in": ["CLAIM_PLACE_ID_TOKEN", "CLAIM_PLACE_USERINFO", "CLAIM_PLACE_INTROSPECTION"],
}
SAVED: Final = message("%(name)s now gets the verified email address as preferred_username.")


def panel(frame: Frame, config: Mapping[str, Any]) -> dict[str, Any]:
    """What the template shows of the rules of an application; empty members for what a rule leaves out."""
    rules: Sequence[Mapping[str, Any]] = config.get("claimRules", ())
    may_change = frame.may_call(SET)
    has_name = any(rule.get("claim") == EMAIL_AS_USER_NAME["claim"] for rule in rules)
    return {
        "claim_rules": [_shown(rule) for rule in rules],
        "may_preview": frame.may_call(PREVIEW),
        "may_change_claims": may_change,
        "may_name_by_email": may_change and not has_name,
    }


def _shown(rule: Mapping[str, Any]) -> dict[str, Any]:
    groups: Sequence[str] = rule.get("groups", ())
    return {
        "claim": rule.get("claim", ""),
        "source": word(rule.get("source", "")),
        "of": [part for part in (rule.get("key"), rule.get("value"), *groups) if part],
        "scope": rule.get("scope", ""),
        "places": [word(place) for place in rule.get("in", ())],
    }


async def name_by_email(ctx: RequestContext) -> Response:
    """Adds the rule, or replaces that of the same claim, unless the application was changed meanwhile."""
    typed = await ctx.read_form()
    screen = BY_KEY["apps"]
    app = await read_object(ctx, screen)
    stored: Sequence[Mapping[str, Any]] = app["oidcConfig"].get("claimRules", ())
    rules = [rule for rule in stored if rule.get("claim") != EMAIL_AS_USER_NAME["claim"]]
    fields = {"projectId": ctx.path["project"], "appId": ctx.path["app"], "claimRules": [*rules, EMAIL_AS_USER_NAME]}
    sequence = str(app["details"].get("sequence", ""))
    headers = {"if-match": f'"{sequence}"'} if sequence else {}
    page = address(ctx, screen.object_path)
    async with ctx.keeping(typed, at=page):
        await ctx.api.call(SET, fields, org=ctx.path["org"], headers=headers)
    return await ctx.see_notice(page, SAVED, name=app["name"])
