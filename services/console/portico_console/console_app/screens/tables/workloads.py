"""The trusted workloads of a service user, and of an application (decision 0152); the page of both is made by hand."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Getting, Screen
from portico_console.console_app.screens.tables.shared import MANAGEMENT


def _screen(key: str, path: str, api: str, parts: dict[str, str]) -> Screen:
    return Screen(
        key,
        path,
        "Workloads",
        parts=parts,
        getting=Getting(api.format("Get"), ""),
        name="",
        actions=(
            Action(
                "change",
                "Edit trusted workloads",
                api.format("Set"),
                done="The trusted workloads were saved.",
                only=("trustedWorkloads",),
                filled_from=".",
            ),
        ),
        hint="Pods and CI jobs whose own tokens authenticate it, without a secret.",
    )


OF_MACHINES: Final = _screen(
    "machine-workloads",
    "/orgs/{org}/machines/{user}/workloads",
    f"{MANAGEMENT}.ServiceUserService/{{}}MachineTrustedWorkloads",
    {"userId": "user"},
)
OF_APPS: Final = _screen(
    "app-workloads",
    "/orgs/{org}/projects/{project}/apps/{app}/workloads",
    f"{MANAGEMENT}.AppService/{{}}AppTrustedWorkloads",
    {"projectId": "project", "appId": "app"},
)

SCREENS: Final = (OF_MACHINES, OF_APPS)
