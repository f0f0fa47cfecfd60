from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from portico_contracts.activities.activity import (
    CREATED,
    DELETED,
    Activity,
    becomes,
    deletion,
    filled,
    part_changed,
    states,
)

_org, _project, _app = partial(Activity, "orgs"), partial(Activity, "projects"), partial(Activity, "apps")
_idp, _webhook, _instance = partial(Activity, "idps"), partial(Activity, "webhooks"), partial(Activity, "instances")
_member, _grant, _group = (partial(Activity, kind) for kind in ("members", "projectGrants", "groups"))

_POLICIES: Final = {
    "password": "%(actor)s changed the password rules of %(object)s",
    "passwordAge": "%(actor)s changed the password expiry of %(object)s",
    "lockout": "%(actor)s changed the lockout rules of %(object)s",
    "privacy": "%(actor)s changed the links of %(object)s",
    "label": "%(actor)s changed the branding of %(object)s",
    "logos": "%(actor)s changed the logo of %(object)s",
    "text": "%(actor)s changed the texts of %(object)s",
}


def _of_policies(kind: str) -> Iterator[Activity]:
    yield Activity(kind, "signInChanged", "%(actor)s changed the sign-in rules of %(object)s", changed="loginRules")
    for name, sentence in _POLICIES.items():
        yield Activity(kind, f"{name}Changed", sentence, changed="policies", when=part_changed(name))
    rules = "%(actor)s changed the rules and branding of %(object)s"
    yield Activity(kind, "policiesChanged", rules, changed="policies")


OF_ORGS: Final = (
    _org("created", "%(actor)s created the organization %(object)s", action=CREATED),
    deletion("orgs"),
    *states("orgs"),
    _org("renamed", "%(actor)s renamed %(object)s", changed="name"),
    _org("domainChanged", "%(actor)s changed the primary domain of %(object)s", changed="primaryDomain"),
    _org("domainsChanged", "%(actor)s changed the domains of %(object)s", changed="domains"),
    *_of_policies("orgs"),
    _org(
        "linkHostsChanged",
        "%(actor)s changed the allowed hosts of links in emails of %(object)s",
        changed="mailLinkHosts",
    ),
    _org("updated", "%(actor)s changed %(object)s"),
)
OF_INSTANCE: Final = (
    _instance("created", "%(actor)s set up the instance", action=CREATED),
    _instance("lifetimesChanged", "%(actor)s changed the token lifetimes of the instance", changed="tokenLifetimes"),
    _instance("defaultChanged", "%(actor)s chose another default organization", changed="defaultOrgId"),
    _instance(
        "impersonationChanged",
        "%(actor)s changed whether administrators may act for users",
        changed="allowsImpersonation",
    ),
    _instance("intentUrlsChanged", "%(actor)s changed the return addresses of own sign-in pages", changed="intentUrls"),
    *(one._replace(sentence=one.sentence.replace("%(object)s", "the instance")) for one in _of_policies("instances")),
    _instance("updated", "%(actor)s changed the instance"),
)
OF_PROJECTS: Final = (
    _project("created", "%(actor)s created the project %(object)s", action=CREATED),
    deletion("projects"),
    *states("projects"),
    _project("renamed", "%(actor)s renamed %(object)s", changed="name"),
    _project("rolesChanged", "%(actor)s changed the roles of the project %(object)s", changed="roles"),
    _project("updated", "%(actor)s changed the settings of %(object)s"),
    _grant("created", "%(actor)s shared the project %(project)s with %(granted)s", action=CREATED),
    _grant("deleted", "%(actor)s stopped sharing the project %(project)s with %(granted)s", action=DELETED),
    _grant(
        "deactivated",
        "%(actor)s paused sharing the project %(project)s with %(granted)s",
        changed="state",
        when=becomes("inactive"),
    ),
    _grant(
        "reactivated",
        "%(actor)s resumed sharing the project %(project)s with %(granted)s",
        changed="state",
        when=becomes("active"),
    ),
    _grant("updated", "%(actor)s changed the roles of the project %(project)s that %(granted)s may grant"),
)
OF_APPS: Final = (
    _app("created", "%(actor)s created the application %(object)s", action=CREATED),
    deletion("apps"),
    *states("apps"),
    _app("secretChanged", "%(actor)s changed the client secret of %(object)s", changed="secretHash"),
    _app("keysChanged", "%(actor)s changed the keys of %(object)s", changed="keys"),
    _app("redirectsChanged", "%(actor)s changed the redirect URIs of %(object)s", changed="redirectUris"),
    _app("logoutChanged", "%(actor)s changed the logout URIs of %(object)s", changed="postLogoutRedirectUris"),
    _app(
        "accessChanged", "%(actor)s changed the access of %(object)s to the management API", changed="managementAccess"
    ),
    _app("renamed", "%(actor)s renamed %(object)s", changed="name"),
    _app("updated", "%(actor)s changed the settings of %(object)s"),
)
OF_PROVIDERS: Final = (
    _idp("created", "%(actor)s added the identity provider %(object)s", action=CREATED),
    deletion("idps"),
    *states("idps"),
    _idp("secretChanged", "%(actor)s changed the client secret of %(object)s", changed="sealedSecret"),
    _idp("updated", "%(actor)s changed the identity provider %(object)s"),
)
OF_GROUPS: Final = (
    _group("created", "%(actor)s created the group %(object)s", action=CREATED),
    deletion("groups"),
    _group("renamed", "%(actor)s renamed the group %(object)s", changed="name"),
    _group("rolesChanged", "%(actor)s changed the roles of the group %(object)s", changed="grants"),
    _group("parentsChanged", "%(actor)s changed the groups that %(object)s belongs to", changed="parents"),
    _group("updated", "%(actor)s changed the group %(object)s"),
)
OF_MEMBERS: Final = (
    _member("created", "%(actor)s made %(user)s an administrator", action=CREATED),
    _member("created", "%(actor)s made %(user)s an administrator", changed="state", when=becomes("active")),
    _member("deleted", "%(actor)s removed %(user)s as an administrator", action=DELETED),
    _member("updated", "%(actor)s changed the administrator roles of %(user)s"),
)
OF_WEBHOOKS: Final = (
    _webhook("created", "%(actor)s created the webhook %(object)s", action=CREATED),
    _webhook(
        "disabled",
        "%(actor)s deactivated the webhook %(object)s because its receiver fails",
        changed="failure",
        when=filled,
    ),
    deletion("webhooks"),
    *states("webhooks"),
    _webhook("secretChanged", "%(actor)s changed the signing secret of %(object)s", changed="secrets"),
    _webhook("updated", "%(actor)s changed the webhook %(object)s"),
)
OF_KEYS: Final = (
    Activity("signingKeys", "rotated", "%(actor)s rotated the signing keys", action="rotated"),
    Activity("signingKeys", "revoked", "%(actor)s revoked a signing key", action="revoked"),
)
