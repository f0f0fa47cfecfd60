"""Whom the old system is asked about, and by which hook (decision 0103)."""

from __future__ import annotations

from typing import Any, cast

import pytest
from portico_contracts.users import VerifyPassword
from portico_users.end_users.end_user import EndUser, SecurityKey
from portico_users.end_users.idp_links import IdpLink
from portico_users.lazy_migration.migrate_end_user import may_get_password
from portico_users.lazy_migration.migrating_sign_in import MigrationHooks
from portico_users.organizations.org import Org
from portico_users.values.records import State
from portico_users.webhooks.rules import problems_of
from portico_users.webhooks.webhook import Webhook

HOME = Org(id="home", org_id="home", name="Home", primary_domain="home.example")
LINK = IdpLink(idp_id="google", user_id="7", user_name="grace")
PASSKEY = SecurityKey(id="key", name="Key", passkey=True)


def grace(**members: Any) -> EndUser:
    names = {"user_name": "grace", "first_name": "Grace", "last_name": "Hopper", "display_name": "Grace Hopper"}
    return EndUser(**{"id": "grace", "org_id": "home", "email": "grace@mail.example", **names, **members})


@pytest.mark.parametrize(
    ("members", "may"),
    [
        ({}, True),
        ({"org_id": "other"}, False),
        ({"has_password": True}, False),
        ({"password_changed": 5.0}, False),
        ({"idp_links": (LINK,)}, False),
        ({"security_keys": (PASSKEY,)}, False),
    ],
)
def test_old_system_opens_no_account_with_another_way_in(members: dict[str, Any], may: bool) -> None:
    assert may_get_password(grace(**members), HOME) is may


class FakeOrganizations:
    """Organizations with a hook, `other` by its domain; `off` is inactive."""

    async def find(self, id: str) -> Org | None:
        return Org(id=id, org_id=id, name=id, primary_domain="", state=State.INACTIVE if id == "off" else State.ACTIVE)

    async def find_by_domain(self, domain: str) -> Org | None:
        return (
            Org(id="other", org_id="other", name="Other", primary_domain="other.example")
            if domain == "other.example"
            else None
        )

    async def find_default(self) -> Org:
        return HOME

    async def allows_passwords(self, org: Org) -> bool:
        return True

    async def find_migrating(self, org_id: str) -> Webhook | None:
        if org_id == "other":
            return None
        return Webhook(id=org_id, org_id=org_id, name="hook", url="https://old.example", event_types=())


@pytest.mark.parametrize(
    ("name", "org_id", "asked"),
    [
        ("grace", "", "home"),
        ("grace@unknown.example", "", "home"),
        ("grace@other.example", "", ""),
        ("grace@other.example", "named", "named"),
        ("grace", "off", ""),
    ],
)
async def test_hook_follows_from_what_was_typed(name: str, org_id: str, asked: str) -> None:
    """Names of another organization's domain are not sent to the default organization's hook."""
    organizations = cast("Any", FakeOrganizations())
    found = await MigrationHooks(organizations, organizations, organizations).find(
        VerifyPassword(login_name=name, password="", org_id=org_id)
    )

    assert (found[1].id if found else "") == asked


@pytest.mark.parametrize(
    ("org_id", "event_types", "problems"),
    [
        ("home", ("migration.signin",), []),
        ("home", ("migration.signin", "user.created"), ["USER-150"]),
        ("instance", ("migration.signin",), ["USER-150"]),
        ("home", ("migration.*",), ["USER-802"]),
    ],
)
def test_receiver_of_passwords_gets_no_events(org_id: str, event_types: tuple[str, ...], problems: list[str]) -> None:
    hook = Webhook(id="1", org_id=org_id, name="hook", url="https://old.example", event_types=event_types)

    assert [found.error_code.id for found in problems_of(hook, frozenset())] == problems
