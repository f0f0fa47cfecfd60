"""Creates a user. `AddHumanUser` requires a last name, so a user with one name is an imported row."""

from __future__ import annotations

import json
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError, Violation

from portico_console.console_app.screens.requests import text
from portico_console.console_app.users.user_page import USER_API
from portico_console.forms.reading import NOT_READ
from portico_console.messages import message
from portico_console.request_context import RequestContext

ADD_USER: Final = f"{USER_API}/AddHumanUser"
ONE_NAME: Final = message("Leave it empty if the user has one name.")
USER_EXISTS: Final = message("This user exists already.")

_IMPORT: Final = "portico.management.v1.UserService/ImportHumanUsers"
_CHOICES: Final = frozenset({"isVerified", "returnCode", "sendCode"})


async def create_user(ctx: RequestContext, request: dict[str, Any], org: str) -> str:
    """Returns the id. `request` is the message of `AddHumanUser`; errors have the paths of its fields."""
    if request.get("profile", {}).get("lastName"):
        return text(await ctx.api.call(ADD_USER, request, org=org), "userId")
    answer = await ctx.api.call(_IMPORT, {"rows": [json.dumps(_row(request))]}, org=org)
    [found] = answer["result"]
    if found["outcome"] == "IMPORT_OUTCOME_CREATED":
        return text(found, "userId")
    raise _refusal(ctx, found)


def _row(request: dict[str, Any]) -> dict[str, Any]:
    """A row sends a code only where it requests one, and returns none; the operation for one user sends one by default."""
    email = request.get("email", {})
    if not _CHOICES & email.keys():
        return {**request, "email": {**email, "sendCode": {}}}
    return {**request, "email": {name: value for name, value in email.items() if name != "returnCode"}}


def _refusal(ctx: RequestContext, found: dict[str, Any]) -> ServiceError:
    problems = found.get("problems", ())
    violations = tuple(Violation(str(one["field"]), str(one["text"])) for one in problems if one.get("field"))
    if found["outcome"] == "IMPORT_OUTCOME_EXISTS":
        violations = (Violation("email.email", ctx.words.gettext(USER_EXISTS)),)
    if violations or not problems:
        return NOT_READ.error(violations=violations)
    kind = Kind.UNAVAILABLE if found.get("retry") else Kind.FAILED_PRECONDITION
    return ServiceError(kind, str(problems[0]["id"]), str(problems[0]["text"]))
