"""The identity assertions of a provider that are accepted in place of a sign-in (decision 0157)."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Getting, Kind, Screen
from portico_console.console_app.screens.tables.shared import MANAGEMENT

GET: Final = f"{MANAGEMENT}.IDPService/GetAcceptedAssertions"

SCREENS: Final = (
    Screen(
        "idp-assertions",
        "/orgs/{org}/idps/{idp}/assertions",
        "Accepted assertions",
        parts={"idpId": "idp"},
        getting=Getting(GET, ""),
        name="",
        facts=(
            Column("Application", "acceptedAssertions.rules.clientId", Kind.LIST),
            Column("API", "acceptedAssertions.rules.resource", Kind.LIST),
            Column("Scopes", "acceptedAssertions.rules.scopes", Kind.LIST),
            Column("Claim of the tenant", "acceptedAssertions.tenantClaim", Kind.CODE),
            Column("Tenant", "acceptedAssertions.tenant"),
        ),
        actions=(
            Action(
                "change",
                "Edit accepted assertions",
                f"{MANAGEMENT}.IDPService/SetAcceptedAssertions",
                done="The accepted assertions were saved.",
                only=("acceptedAssertions",),
                filled_from=".",
            ),
        ),
        hint="Applications that get access to APIs for users of this provider, without a sign-in and consent here.",
    ),
)
