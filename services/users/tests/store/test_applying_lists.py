from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import Applied

pytestmark = pytest.mark.servers

IN_ORDER = ("idps", "servers", "texts")
"""Lists whose order matters."""


def turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: one if name in IN_ORDER else turned(one) for name, one in value.items()}
    return [turned(item) for item in reversed(value)] if isinstance(value, list) else value


def project(world: Any) -> dict[str, Any]:
    tag = world.tag
    app = world.app(
        redirectUris=["https://shop.example/one", "https://shop.example/two"],
        postLogoutRedirectUris=["https://shop.example/out", "https://shop.example/away"],
        grantTypes=["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        additionalOrigins=["https://a.example", "https://b.example"],
    )
    keys = [world.key(id=f"k1-{tag}"), world.key(id=f"k2-{tag}")]
    keyed = world.app(
        name="keyed", clientId=f"keyed-{tag}", authMethodType="OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", keys=keys
    )
    return {
        "id": f"p-{tag}",
        "name": "web",
        "roles": [{"roleKey": "reader"}, {"roleKey": "writer"}],
        "oidcApps": [app, keyed],
        "grants": [{"organization": f"other-{tag}", "roleKeys": ["reader", "writer"]}],
        "members": [{"user": f"bob-{tag}", "roles": ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"]}],
    }


def providers(world: Any) -> dict[str, Any]:
    oidc = {
        "id": f"oidc-{world.tag}",
        "name": "oidc",
        "issuer": "https://idp.example",
        "clientId": "portico",
        "clientSecret": "of-the-other-side",
        "scopes": ["openid", "email"],
        "amr": {"strong": ["mfa", "pwd"]},
    }
    ldap = {
        "id": f"ldap-{world.tag}",
        "name": "ldap",
        "servers": ["ldaps://one.example", "ldaps://two.example"],
        "baseDn": "dc=example",
        "bindDn": "cn=portico",
        "bindPassword": "of-the-directory",
        "userObjectClasses": ["person", "inetOrgPerson"],
        "userFilters": ["uid", "mail"],
        "attributes": {"idAttribute": "entryUUID"},
    }
    return {"oidcIdps": [oidc], "ldapIdps": [ldap]}


def document(world: Any) -> dict[str, Any]:
    tag = world.tag
    bob = world.human(
        id=f"bob-{tag}",
        roles=["ORG_OWNER", "ORG_USER_MANAGER"],
        grants=[{"project": f"p-{tag}", "roleKeys": ["reader", "writer"]}],
        idpLinks=[{"idp": f"{kind}-{tag}", "userId": "b", "userName": "bob"} for kind in ("oidc", "ldap")],
    )
    first = {
        "id": f"org-{tag}",
        "name": f"Acme {tag}",
        "domains": [{"name": f"a-{tag}.example"}, {"name": f"b-{tag}.example"}],
        "mailLinkHosts": ["mail.example", "link.example"],
        "loginPolicy": {
            "mayRegister": True,
            "idps": [f"oidc-{tag}", f"ldap-{tag}"],
            "secondFactors": ["SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
        },
        "textPolicy": {
            "texts": [{"language": "de", "signInTitle": "Hallo"}, {"language": "en", "signInTitle": "Hello"}]
        },
        **providers(world),
        "webhooks": [{"name": "w", "url": "https://a.example/w", "eventTypes": ["user.*", "org.*"]}],
        "projects": [project(world)],
        "humans": [bob],
    }
    return {"organizations": [first, {"id": f"other-{tag}", "name": f"Other {tag}"}]}


def changed(applied: Applied) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.kind, one.name, one.fields) for one in applied.changes if one.action != "unchanged"]


@pytest.mark.parametrize("prune", [False, True])
async def test_reordered_lists_are_no_change(users_world: Any, *, prune: bool) -> None:
    """With and without prune only the order of sign-in buttons, LDAP servers and texts is a change."""
    first = document(users_world)
    applied = await users_world.apply_document(first)
    again = turned(first)
    planned = await users_world.apply_document(again, check=True, prune=prune)
    again["organizations"][1]["loginPolicy"]["idps"].reverse()
    again["organizations"][1]["textPolicy"]["texts"].reverse()
    ordered = await users_world.apply_document(again, check=True, prune=prune)

    assert applied.failure is None
    assert changed(planned) == []
    assert changed(ordered) == [("organization", f"Acme {users_world.tag}", ("loginRules", "policies"))]
