from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen, Sort
from portico_console.console_app.screens.tables.shared import CHANGED, CREATED, ID, MANAGEMENT, STATE, removal

_OF: Final = f"{MANAGEMENT}.ScimTargetService"
_FIELDS: Final = ("name", "url", "tokenSecret", "people", "userName", "deletesLeavers", "adopts", "rate")
_BY_ROLES: Final = "SCIM_TARGET_PEOPLE_ROLES"
_BY_NAME: Final = "SCIM_TARGET_USER_NAME_LOGIN_NAME"

TARGETS: Final = Screen(
    "scim-targets",
    "/orgs/{org}/projects/{project}/apps/{app}/scim-targets",
    "SCIM targets",
    part="target",
    parts={"projectId": "project", "appId": "app", "targetId": "target"},
    listing=Listing(
        f"{_OF}/ListScimTargets",
        (Column("Name", "name"), Column("Address", "url"), STATE, Column("Failing since", "failingSince", Kind.TIME)),
        sorts=(Sort("Name"),),
    ),
    getting=Getting(f"{_OF}/GetScimTarget", "target"),
    facts=(
        STATE,
        Column("Address", "url"),
        Column("Whose accounts", "people", Kind.WORD, _BY_ROLES),
        Column("User name", "userName", Kind.WORD, _BY_NAME),
        Column("Deletes accounts", "deletesLeavers", Kind.YES),
        Column("Takes over existing accounts", "adopts", Kind.YES),
        Column("Most requests per second", "rate"),
        Column("Failing since", "failingSince", Kind.TIME),
        Column("Last failure", "failure"),
        Column("Users who wait", "waitingCount"),
        Column("Users who could not be sent", "failures.name", Kind.LIST),
        Column("Why they could not be sent", "failures.cause", Kind.LIST),
        Column("Last test", "lastTest.date", Kind.TIME),
        Column("Failure of the last test", "lastTest.cause"),
        *(
            Column(title, f"{run}.{path}", kind)
            for run, found in (
                (
                    "dryRun",
                    (
                        ("Dry run", "state", Kind.WORD),
                        ("Failure of the dry run", "cause", Kind.TEXT),
                        ("Accounts to create", "createCount", Kind.TEXT),
                        ("Created for", "created", Kind.LIST),
                        ("Accounts to take over", "adoptCount", Kind.TEXT),
                        ("Taken over for", "adopted", Kind.LIST),
                        ("Accounts to change", "changeCount", Kind.TEXT),
                        ("Changed for", "changed", Kind.LIST),
                        ("Accounts to deactivate", "deactivateCount", Kind.TEXT),
                        ("Deactivated for", "deactivated", Kind.LIST),
                        ("Accounts to delete", "deleteCount", Kind.TEXT),
                        ("Deleted for", "deleted", Kind.LIST),
                        ("Users without an account", "refuseCount", Kind.TEXT),
                        ("No account for", "refused", Kind.LIST),
                        ("Accounts without a difference", "unchangedCount", Kind.TEXT),
                    ),
                ),
                (
                    "comparison",
                    (
                        ("Comparison", "state", Kind.WORD),
                        ("Comparison ended", "endDate", Kind.TIME),
                        ("Failure of the comparison", "cause", Kind.TEXT),
                    ),
                ),
            )
            for title, path, kind in found
        ),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(
        Action(
            "new", "Create SCIM target", f"{_OF}/AddScimTarget", done="%(name)s was created. Test it and make a dry run before you activate it.",
            only=_FIELDS, starts={"rate": "5"}, leads_to="id",
        ),
    ),
    actions=(
        Action("change", "Edit", f"{_OF}/UpdateScimTarget", done="%(name)s was changed.", only=_FIELDS, filled_from="."),
        Action("test", "Send test request", f"{_OF}/TestScimTarget", done="%(name)s was tested. This page shows the result."),
        Action(
            "dry-run", "Start dry run", f"{_OF}/DryRunScimTarget",
            done="The dry run of %(name)s has started. Reload this page to see what it found.",
        ),
        Action(
            "compare", "Start comparison", f"{_OF}/CompareScimTarget", states=("_ACTIVE",),
            done="The comparison of %(name)s has started. Reload this page to see its end.",
        ),
        Action("activate", "Activate", f"{_OF}/ActivateScimTarget", done="%(name)s was activated.", states=("_INACTIVE",)),
        Action(
            "deactivate", "Deactivate", f"{_OF}/DeactivateScimTarget", done="%(name)s was deactivated.", states=("_ACTIVE",),
            danger=Danger.CONFIRM, loses="Changes are no longer sent, not even that a user left.",
        ),
        removal(
            f"{_OF}/RemoveScimTarget", done="%(name)s was removed.",
            loses="Changes are no longer sent. The accounts at the target stay as they are.",
        ),
    ),
    empty="No SCIM targets yet.",
)  # fmt: skip

SCREENS: Final = (TARGETS,)
