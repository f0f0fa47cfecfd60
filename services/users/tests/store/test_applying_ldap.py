"""LDAP providers in documents: apply, export and validation."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import EXPORT, Export
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.secrets import SecretSealer

pytestmark = pytest.mark.servers

SECRET = "what only the two of us know"


def _document(world: Any, **changed: Any) -> dict[str, Any]:
    ldap = {
        "name": "directory",
        "servers": ["ldaps://ldap.example.com", "ldaps://ldap2.example.com:1636"],
        "baseDn": "ou=people,dc=example,dc=org",
        "bindDn": "cn=portico,dc=example,dc=org",
        "bindPassword": SECRET,
        "userFilters": ["uid"],
        "userObjectClasses": ["inetOrgPerson"],
        "timeout": "3s",
        "attributes": {"idAttribute": "objectGUID", "emailAttribute": "mail", "avatarUrlAttribute": "photoUrl"},
        "autoRegister": True,
        "providerOptions": {"isAutoUpdate": True},
        "state": "inactive",
        **changed,
    }
    found: dict[str, Any] = world.organization(
        id=world.org_id,
        projects=[],
        humans=[],
        ldapIdps=[{name: value for name, value in ldap.items() if value is not None}],
    )
    return found


async def test_ldap_provider_is_created_once(users_world: Any) -> None:
    """A second run changes nothing; the password is stored encrypted."""
    first = await users_world.apply(_document(users_world))
    second = await users_world.apply(_document(users_world))
    rows = await users_world.rows("idps", orgId=users_world.org_id)

    assert [(change.kind, change.action) for change in first.changes[1:]] == [("identity_provider", "created")]
    assert {change.action for change in second.changes} == {"unchanged"}
    assert SECRET not in str(rows)


@pytest.mark.parametrize(
    "changed",
    [
        {"servers": ["ldaps://other.example.com"]},
        {"bindDn": "cn=other,dc=example,dc=org"},
        {"servers": ["ldap://ldap.example.com"], "startTls": True},
    ],
)
async def test_password_is_required_for_other_servers(users_world: Any, changed: dict[str, Any]) -> None:
    """Other servers, another bind DN or other TLS settings require the password again, encrypted for them (MG-18)."""
    await users_world.apply(_document(users_world))
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(_document(users_world, bindPassword=None, **changed))
    await users_world.apply(_document(users_world, bindPassword="new", **changed))
    (row,) = await users_world.rows("idps", orgId=users_world.org_id)
    bound = "\n".join((*row["config"]["servers"], f"starttls={row['config']['startTls']}", row["config"]["bindDn"], ""))

    assert (refused.value.id, refused.value.text.partition(": ")[0]) == (
        "USER-393",
        "organizations[0].ldapIdps[0].bindPassword",
    )
    assert users_world.service.find(SecretSealer).unseal(row["sealedSecret"], row["_id"], bound) == "new"


async def test_new_provider_requires_a_password(users_world: Any) -> None:
    """Without a password the search would be anonymous (RFC 4513 §5.1.2)."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(_document(users_world, bindPassword=None))

    assert refused.value.id == "USER-393"


async def test_other_changes_keep_the_password(users_world: Any) -> None:
    """Changes that do not affect the password's destination do not need it."""
    await users_world.apply(_document(users_world))
    changed = await users_world.apply(_document(users_world, bindPassword=None, userFilters=["uid", "mail"]))

    assert changed.changes[-1].action == "updated"


async def test_exported_provider_applies_without_a_change(users_world: Any) -> None:
    """All values but the password are exported, with a note about it."""
    await users_world.apply(_document(users_world))
    exported = await users_world.call(EXPORT, Export(org_id=users_world.org_id))
    (ldap,) = exported.document.organizations[0].ldap_idps
    written = _document(users_world)["ldapIdps"][0]

    assert (ldap.servers, ldap.base_dn, ldap.bind_dn) == (
        tuple(written["servers"]),
        written["baseDn"],
        written["bindDn"],
    )
    assert (ldap.timeout, ldap.attributes.id_attribute, ldap.attributes.avatar_url_attribute) == (
        "3s",
        "objectGUID",
        "photoUrl",
    )
    assert ldap.bind_password is None
    assert [note.text for note in exported.notes if note.id == ldap.id] == [
        "bindPassword is not exported. Set it when you apply to a new installation."
    ]
    again = await users_world.apply(_document(users_world, id=ldap.id, bindPassword=None))
    assert {change.action for change in again.changes} == {"unchanged"}


async def test_prune_removes_absent_providers(users_world: Any) -> None:
    """An empty list is complete; an absent list changes nothing."""
    await users_world.apply(_document(users_world))
    org = _document(users_world)
    kept = await users_world.apply_document({"organizations": [org | {"ldapIdps": None}]}, prune=False)
    removed = await users_world.apply_document({"organizations": [org | {"ldapIdps": []}]}, prune=True)

    assert {change.action for change in kept.changes} == {"unchanged"}
    assert ("identity_provider", "removed") in {(change.kind, change.action) for change in removed.changes}


@pytest.mark.parametrize(
    ("changed", "path", "id"),
    [
        ({"servers": []}, "servers", "USER-386"),
        ({"servers": ["ldaps://127.0.0.1"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://10.0.0.1:636"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://0x7f000001"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://[::1]"]}, "servers[0]", "USER-386"),
        ({"servers": ["https://ldap.example.com"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldapi://%2ftmp%2fldapi"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://user@ldap.example.com"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://ldap.example.com/dc=x?sub"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://ldap.example.com:99999"]}, "servers[0]", "USER-386"),
        ({"servers": ["ldaps://a.example.com"] * 11}, "servers", "USER-386"),
        ({"servers": ["ldap://ldap.example.com"]}, "servers[0]", "USER-387"),
        ({"startTls": True}, "servers[0]", "USER-387"),
        ({"baseDn": "people"}, "baseDn", "USER-388"),
        ({"baseDn": "dc=\x00"}, "baseDn", "USER-388"),
        ({"bindDn": "portico"}, "bindDn", "USER-388"),
        ({"userFilters": []}, "userFilters", "USER-389"),
        ({"userFilters": ["uid=*"]}, "userFilters[0]", "USER-389"),
        ({"userFilters": ["(uid"]}, "userFilters[0]", "USER-389"),
        ({"userObjectClasses": ["person)(cn=*"]}, "userObjectClasses[0]", "USER-389"),
        ({"attributes": {"emailAttribute": "mail;lang-de"}}, "attributes.emailAttribute", "USER-389"),
        ({"attributes": {"idAttribute": "mail"}}, "attributes.idAttribute", "USER-390"),
        ({"attributes": {"idAttribute": "distinguishedName"}}, "attributes.idAttribute", "USER-390"),
        ({"rootCa": "no certificate"}, "rootCa", "USER-391"),
        ({"rootCa": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}, "rootCa", "USER-391"),
        ({"timeout": "6s"}, "timeout", "USER-392"),
        ({"timeout": "1.5s"}, "timeout", "USER-392"),
        ({"timeout": "soon"}, "timeout", "USER-392"),
    ],
)
async def test_invalid_values_are_refused_with_their_path(
    users_world: Any, changed: dict[str, Any], path: str, id: str
) -> None:
    """Nothing of the document is written (IP-03)."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(_document(users_world, **changed))

    assert (refused.value.id, refused.value.text.partition(": ")[0]) == (id, f"organizations[0].ldapIdps[0].{path}")
    assert await users_world.rows("idps", orgId=users_world.org_id) == []
