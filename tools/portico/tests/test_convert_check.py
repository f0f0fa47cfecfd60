from __future__ import annotations

import pytest
from portico_cli.conversion_check.refusals import parts_of, refusals
from portico_contracts.apply import (
    ApiApp,
    Document,
    JwtIdp,
    LdapIdp,
    LoginPolicy,
    Oauth2Idp,
    OidcApp,
    OidcIdp,
    Organization,
    Project,
    ServiceUser,
)
from portico_contracts.users import APPLY, Applied, Apply
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import UNAVAILABLE, ErrorCode, Kind, ServiceError

REFUSED = ErrorCode(
    "USER-099", Kind.INVALID_REQUEST, "organizations[0].projects[0].oidcApps[0].name: Invalid name.", ""
)
JWT = JwtIdp(name="Portal", jwt_endpoint="https://p.example", issuer="p", keys_endpoint="https://p.example")
SHARED = OidcIdp(id="shared", name="Google", client_id="c")
DOCUMENT = Document(
    oidc_idps=(SHARED,),
    organizations=(
        Organization(
            id="acme",
            name="Acme",
            projects=(Project(name="shop", oidc_apps=tuple(OidcApp(name=f"app {n}") for n in range(20)), api_apps=(ApiApp(name="api"),)),),
            service_users=(ServiceUser(username="job", name="Job"),),
            oauth2_idps=(Oauth2Idp(name="GitHub", client_id="c"),),
            ldap_idps=(LdapIdp(name="Staff", servers=("ldaps://l",), base_dn="x", bind_dn="y", user_filters=("uid",)),),
            jwt_idps=(JWT,),
            login_policy=LoginPolicy(idps=("shared", "GitHub")),
        ),
    ),
)  # fmt: skip


def test_each_object_is_asked_alone() -> None:
    """A part has one object and what it refers to: the login policy has all providers, also those of the instance."""
    parts = {part.name: part.document for part in parts_of(DOCUMENT)}
    policy = parts["login policy of Acme"]

    assert [*parts] == [
        "identity provider Google",
        *(f"client app {number}" for number in range(20)),
        "client api",
        "service user job",
        "identity provider GitHub",
        "directory Staff",
        "identity provider Portal",
        "login policy of Acme",
    ]
    assert parts["identity provider Google"] == Document(oidc_idps=(SHARED,))
    assert [len(project.oidc_apps or ()) for project in parts["client app 7"].organizations[0].projects or ()] == [1]
    assert (policy.oidc_idps, policy.organizations[0].jwt_idps) == ((SHARED,), (JWT,))


async def test_refusals_are_in_the_order_of_the_document() -> None:
    """Requests are sent together, and the report is the same as one after the other."""
    bus = MemoryBus()

    async def plan(asked: Apply) -> Applied:
        assert asked.check
        [project] = asked.document.organizations[0].projects or ()
        if any(app.name in ("app 3", "app 17") for app in project.oidc_apps or ()):
            raise REFUSED.error()
        return Applied(changes=())

    bus.respond(APPLY, plan)
    one = Document(organizations=(Organization(name="Acme", projects=DOCUMENT.organizations[0].projects),))
    found = await refusals(bus, one)

    assert [refused.name for refused in found] == ["client app 3", "client app 17"]
    assert found[0].reason == "name: Invalid name. (USER-099)"
    assert len(bus.called) == 21


async def test_objects_that_exclude_each_other_are_refused() -> None:
    """The whole document is asked last, and its refusal keeps the place of the object."""
    bus = MemoryBus()

    async def plan(asked: Apply) -> Applied:
        if asked.document == two:
            raise REFUSED.error()
        return Applied(changes=())

    bus.respond(APPLY, plan)
    two = Document(organizations=(DOCUMENT.organizations[0], Organization(name="Second")))
    found = await refusals(bus, two)

    assert [(one.name, one.reason.partition(":")[0]) for one in found] == [
        ("the document", "organizations[0].projects[0].oidcApps[0].name")
    ]


async def test_check_without_the_service_ends() -> None:
    """An unavailable service is not a refused object."""
    bus = MemoryBus()
    bus.down = True
    with pytest.raises(ServiceError) as refused:
        await refusals(bus, DOCUMENT)

    assert refused.value.kind is UNAVAILABLE.kind
