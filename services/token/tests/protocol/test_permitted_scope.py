"""A scope alone grants nothing in other organizations (decision 0085)."""

from __future__ import annotations

import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.events import PROJECT_CHANGED, Changed
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_contracts.users import AuthMethod, ProjectAccess
from portico_fakes.token_service import CALLBACK, USER, TokenService
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.pkce import challenge_of

FOREIGN = "urn:portico:project:id:theirs:aud"
GRANTED = "urn:portico:project:id:granted:aud"
MANAGEMENT = "urn:portico:project:id:portico:aud"
VERIFIER = "v" * 43
METADATA = "urn:portico:user:metadata"


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    token_service.users.audiences["theirs"] = ("their-app", "theirs")
    token_service.users.audiences["granted"] = ("their-app", "granted")
    token_service.users.foreign = {"theirs"}
    token_service.users.roles[USER, "theirs"] = {"admin": {"org-2": "theirs.example"}}
    token_service.register("app", grant_types=("authorization_code", "refresh_token"))
    token_service.register("their-app", org_id="org-2", project_id="theirs", audience=("their-app", "theirs"))
    return token_service


async def test_foreign_project_is_dropped(service: TokenService) -> None:
    """The token does not name the project, is inactive at its applications, and has none of its roles."""
    scope = ("openid", "urn:portico:project:roles", FOREIGN, GRANTED)
    tokens = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    about = await service.introspect(tokens["access_token"], "their-app")
    claims = (await service.userinfo(tokens["access_token"])).json()

    assert tokens["scope"] == f"openid urn:portico:project:roles {GRANTED}"
    assert about.json()["aud"] == ["app", "sibling", "project-1", "their-app", "granted"]
    assert "urn:portico:project:theirs:roles" not in claims


async def test_application_by_metadata_document_reaches_no_project(service: TokenService) -> None:
    url = "https://agent.example/client.json"
    service.register(url, AuthMethod.NONE, audience=(url,))
    scope = ("openid", GRANTED, "urn:portico:project:id:project-1:aud")

    code = service.issue_code(url, scope=scope, challenge=challenge_of(VERIFIER))
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}

    tokens = (await service.token({**form, "client_id": url})).json()

    assert tokens["scope"] == "openid"


async def test_revoked_project_grant_is_dropped_at_refresh(service: TokenService) -> None:
    scope = ("openid", "offline_access", GRANTED)
    tokens = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    service.users.foreign.add("granted")
    changed = Changed(event_id="e1", aggregate_id="theirs", org_id="org-2", sequence=2, at=0.0, actor="a")
    await service.bus.publish(PROJECT_CHANGED, changed, event_id="e1")
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()

    assert (tokens["scope"], refreshed["scope"]) == (" ".join(scope), "openid offline_access")


async def test_implicit_response_is_restricted_too(service: TokenService) -> None:
    grant = CodeGrant(
        grant_id=new_opaque(bucket_of(USER), service.random, 128),
        user_id=USER,
        client_id="app",
        session_id="s",
        scope=("openid", FOREIGN, MANAGEMENT),
        auth_time=int(service.clock.now()),
        amr=("pwd",),
        acr="",
        auth_time_proven=True,
    )
    tokens = await service.bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=True))

    assert tokens.scope == "openid"


@pytest.mark.parametrize("admitted", [True, False])
async def test_metadata_of_other_organizations_needs_a_project_grant(service: TokenService, admitted: bool) -> None:
    """An application open to all organizations gets no metadata of another organization's users."""
    service.users.admissions[USER, "theirs"] = ProjectAccess(has_project=admitted)
    tokens = (await service.redeem(service.issue_code("their-app", scope=("openid", METADATA)), "their-app")).json()

    assert (METADATA in tokens["scope"].split()) is admitted
