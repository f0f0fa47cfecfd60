"""The page of a SCIM connection: address, secrets, steps in the directory, and what the directory sent last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.scim.steps import DIRECTORIES
from portico_console.console_app.screens.choices import offered
from portico_console.console_app.screens.frame import Crumb, framed
from portico_console.console_app.screens.requests import address, cell
from portico_console.console_app.screens.table import BY_KEY
from portico_console.forms.words import word
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_KEY: Final = "scim"
_OF: Final = "portico.management.v1.ScimService"
_SECRETS: Final = 2


async def show_connection(ctx: RequestContext) -> Response:
    frame, screen, secrets = await load_frame(ctx), BY_KEY[_KEY], BY_KEY["scim-secrets"]
    org = ctx.path["org"]
    found = await ctx.api.call(f"{_OF}/GetScimConnection", {"connectionId": ctx.path["scim"]}, org=org)
    connection: Any = found["connection"]
    may_change = frame.may_call(f"{_OF}/UpdateScimConnection")
    others = offered(frame, screen, connection)
    return framed(
        ctx,
        "scim/connection.html",
        frame,
        _KEY,
        crumbs=[Crumb(screen.title, address(ctx, screen.path))],
        connection=connection,
        directories=DIRECTORIES,
        may_change=may_change,
        may_add_secret=frame.may_call(f"{_OF}/AddScimSecret") and len(connection["secrets"]) < _SECRETS,
        facts=[cell(connection, column) for column in screen.facts],
        others=[one for one in others if one.word not in ("change", "mapping")],
        mapping=_shown(connection.get("mapping", {})),
        may_map=frame.may_call(f"{_OF}/SetScimMapping"),
        base=address(ctx, screen.object_path),
        secrets_base=address(ctx, secrets.path),
    )


def _shown(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a mapping; what an answer leaves out is the first value of its kind."""
    return {
        "facts": [
            ("Login name", word(mapping.get("loginName", "SCIM_LOGIN_NAME_USER_NAME"))),
            ("Email address", word(mapping.get("address", "SCIM_ADDRESS_PRIMARY"))),
            ("Display name", word(mapping.get("displayName", "SCIM_DISPLAY_NAME_DISPLAY_NAME"))),
        ],
        "rows": [
            {"attribute": row.get("attribute", ""), "destination": _destination(row), "key": row.get("key", "")}
            for row in mapping.get("attributes", ())
        ],
    }


def _destination(row: Mapping[str, Any]) -> str:
    return word(row["destination"]) if "destination" in row else ""


SCIM_PAGES: Final = (PageRow("/orgs/{org}/scim/{scim}", show_connection),)
"""The page of a connection. Its list, its forms and its secrets are screens."""
