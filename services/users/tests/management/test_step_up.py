"""Sensitive operations require a sign-in at most five minutes old (decision 0059)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT
from portico_contracts.management import METHODS
from portico_fakes.management_api import call_as
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.caller import Caller, SignedIn
from portico_users.management_api.transport.step_up import StepUp
from portico_users.values.operator_settings import StepUpMode

pytestmark = pytest.mark.servers

REMOVE = "portico.management.v1.ProjectService.RemoveProject"
RENAME = "portico.management.v1.ProjectService.UpdateProject"

NOT_LISTED = (
    "portico.management.v1.ProjectService.AddProject",
    "portico.management.v1.ProjectService.ListProjects",
    "portico.user.v2.UserService.AddHumanUser",
    "portico.user.v2.UserService.SetPassword",
    "portico.user.v2.UserService.LockUser",
    "portico.management.v1.SessionService.RemoveUserSessions",
)
LISTED = (
    "portico.user.v2.UserService.DeleteUser",
    "portico.user.v2.UserService.RemovePasskey",
    "portico.user.v2.UserService.AddPersonalAccessToken",
    "portico.admin.v1.MemberService.AddIAMMember",
    "portico.management.v1.MemberService.UpdateOrgMember",
    "portico.management.v1.IDPService.UpdateGenericOIDCProvider",
    "portico.management.v1.UserService.SetHumanPassword",
    "portico.management.v1.AppService.RegenerateOIDCClientSecret",
    "portico.management.v1.WebhookService.AddWebhook",
    "portico.admin.v1.PolicyService.UpdateLoginPolicy",
)


def project_of(managed: Any) -> str:
    return f"/management/v1/projects/p-owner-{managed.tag}"


def sign_in(managed: Any, client_id: str, seconds_ago: int) -> None:
    at = int(managed.users.clock.now()) - seconds_ago
    managed.api.signed_in[managed.tokens["owner"]] = (client_id, at)


@pytest.mark.parametrize("client_id", [CONSOLE_CLIENT, ACCOUNT_CLIENT])
async def test_old_sign_in_is_refused(managed: Any, client_id: str) -> None:
    """After five minutes a sensitive operation gives USER-731, while others work; at exactly five minutes both work."""
    await managed.furnish("owner")
    sign_in(managed, client_id, 301)
    refused = await call_as(managed, REMOVE, {}, path=project_of(managed))
    renamed = await call_as(managed, RENAME, {"name": "Still there"}, path=project_of(managed))
    sign_in(managed, client_id, 300)
    removed = await call_as(managed, REMOVE, {}, path=project_of(managed))

    assert (refused.code, refused.error_code) == (7, "USER-731")
    assert (renamed.code, removed.code) == (0, 0)


async def test_sign_in_of_unknown_age_is_refused(managed: Any) -> None:
    """A federated sign-in without a time is not recent, however new the session is."""
    await managed.furnish("owner")
    sign_in(managed, CONSOLE_CLIENT, 0)
    managed.api.unproven.add(managed.tokens["owner"])
    refused = await call_as(managed, REMOVE, {}, path=project_of(managed))

    assert (refused.code, refused.error_code) == (7, "USER-731")


async def test_other_applications_and_service_users_pass(managed: Any) -> None:
    """By default the check covers only the console and the account page; tokens without a sign-in always pass."""
    await managed.furnish("owner")
    sign_in(managed, "of-another-application", 9_000)
    other = await call_as(managed, REMOVE, {}, path=project_of(managed))
    await managed.furnish("iam")
    without = await call_as(managed, REMOVE, {}, by="iam", path=f"/management/v1/projects/p-iam-{managed.tag}")

    assert (other.code, without.code) == (0, 0)


async def test_permissions_are_checked_first(managed: Any) -> None:
    """An old sign-in reveals nothing that the caller may not see."""
    sign_in(managed, CONSOLE_CLIENT, 9_000)
    refused = await call_as(managed, REMOVE, {}, path="/management/v1/projects/of-others")

    assert refused.error_code != "USER-731"


async def test_returned_password_code_requires_a_recent_sign_in(managed: Any) -> None:
    """A returned code allows setting the password; a code emailed to the user does not need a recent sign-in."""
    sign_in(managed, CONSOLE_CLIENT, 301)
    path = f"/v2/users/self-{managed.tag}/password_reset"
    name = "portico.user.v2.UserService.PasswordReset"
    returned = await call_as(managed, name, {"returnCode": {}}, path=path)
    sent = await call_as(managed, name, {"sendLink": {}}, path=path)

    assert returned.error_code == "USER-731"
    assert sent.error_code != "USER-731"


MODES = (
    (StepUpMode.OFF, CONSOLE_CLIENT, True),
    (StepUpMode.OFF, "another", True),
    (StepUpMode.CONSOLE, CONSOLE_CLIENT, False),
    (StepUpMode.CONSOLE, "another", True),
    (StepUpMode.ALL, CONSOLE_CLIENT, False),
    (StepUpMode.ALL, "another", False),
)


@pytest.mark.parametrize(("mode", "client_id", "permitted"), MODES)
def test_mode_selects_the_applications(mode: StepUpMode, client_id: str, permitted: bool) -> None:
    """The mode selects no application, the console and the account page, or all applications."""

    class Clock:
        def now(self) -> float:
            return 10_000.0

    operation = next(one for one in OPERATIONS if one.name == REMOVE)
    caller = Caller("u", "o", frozenset(), {}, signed_in=SignedIn(client_id, 9_000))
    step_up = StepUp(mode, Clock())
    if permitted:
        step_up.require(caller, operation, operation.method.request())
        return
    with pytest.raises(Exception, match="USER-731"):
        step_up.require(caller, operation, operation.method.request())


@pytest.mark.parametrize(("names", "recent"), [(LISTED, True), (NOT_LISTED, False)], ids=["listed", "not listed"])
def test_proto_option_matches_the_table(names: tuple[str, ...], recent: bool) -> None:
    """The option of each method in the .proto files agrees with the table of operations."""
    by_name = {one.name: one.recent for one in OPERATIONS}

    assert {METHODS[name].permission.recent_sign_in for name in names} == {recent}
    assert {name: METHODS[name].permission.recent_sign_in for name in by_name} == by_name
