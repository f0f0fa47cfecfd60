"""The users service as `portico app` knows it: three organizations, one with several applications."""

from __future__ import annotations

from portico_contracts.apply import (
    ApiApp,
    ApiScope,
    AuthMethodName,
    Document,
    ObjectState,
    OidcApp,
    Organization,
    Project,
)
from portico_contracts.users import APPLY, EXPORT, Applied, Apply, Change, Export, Exported
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind, ServiceError

from portico_fakes.fake_service import FakeService

ISSUER = "https://id.example.test"
WEB = OidcApp(
    name="web", client_id="web-1", redirect_uris=("http://localhost:3000/cb",), auth_method_type=AuthMethodName.POST
)
KEYED = OidcApp(
    name="keyed",
    client_id="k-1",
    redirect_uris=("http://localhost:1/cb",),
    auth_method_type=AuthMethodName.PRIVATE_KEY_JWT,
)
PRICES = ApiApp(name="prices", client_id="p-1", scopes=(ApiScope("prices.read"),))
CLI = OidcApp(name="cli", client_id="cli-1", auth_method_type=AuthMethodName.NONE)
SHOP = Project(
    name="Shop",
    id="shop",
    project_role_check=True,
    state=ObjectState.ACTIVE,
    oidc_apps=(WEB, KEYED, CLI),
    api_apps=(PRICES,),
)
ACME = Organization(name="Acme", id="acme", projects=(SHOP,))
BETA = Organization(
    name="Beta", id="beta", projects=(Project(name="One", id="one", oidc_apps=(WEB,)), Project(name="Two", id="two"))
)
ORGS = {org.id: org for org in (ACME, BETA, Organization(name="Bare", id="bare"))}


class Users(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, Apply(document=Document()))
        self.bus.respond(APPLY, self._apply)
        self.bus.respond(EXPORT, self._export)

    async def _apply(self, question: Apply) -> Applied:
        self.asked.append(question)
        [organization] = question.document.organizations
        [project] = organization.projects or ()
        app: OidcApp | ApiApp = (project.oidc_apps or project.api_apps or ())[0]
        place, uris = (
            ("apiApps[0].resources", app.resources)
            if isinstance(app, ApiApp)
            else ("oidcApps[0].redirectUris", app.redirect_uris)
        )
        if "bad:" in uris:
            text = f"organizations[0].projects[0].{place}: This URI cannot be used."
            raise ServiceError(Kind.INVALID_REQUEST, "TEST-902", text)
        kept = Change(action="unchanged", kind="project", id="shop", name="Shop")
        secret = "" if app.auth_method_type == AuthMethodName.NONE else "made-now"
        return Applied(
            changes=(kept, Change(action="created", kind="app", id="new-1", name=app.name, generated_secret=secret))
        )

    async def _export(self, question: Export) -> Exported:
        if not question.org_id:
            return Exported(document=Document(default_organization="acme"), org_ids=tuple(map(str, ORGS)))
        return Exported(document=Document(organizations=(ORGS[question.org_id],)))
