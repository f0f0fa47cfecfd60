from __future__ import annotations

from typing import Any

import pytest
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.secrets import SecretSealer

pytestmark = pytest.mark.servers

SECRET = "what only the two of us know"


def _document(world: Any, **oidc: Any) -> dict[str, Any]:
    jwt = {
        "name": "portal",
        "jwtEndpoint": "https://portal.example/login",
        "issuer": "portal",
        "keysEndpoint": "https://portal.example/keys",
        "autoRegister": True,
    }
    other = {"name": "house", "issuer": "https://house.example", "clientId": "portico", "clientSecret": SECRET}
    found: dict[str, Any] = world.organization(
        id=world.org_id, projects=[], humans=[], jwtIdps=[jwt], oidcIdps=[{**other, **oidc}]
    )
    return found


async def test_providers_are_created_once(users_world: Any) -> None:
    """A second run changes nothing, although encrypting the secret again would give another ciphertext."""
    first = await users_world.apply(_document(users_world))
    second = await users_world.apply(_document(users_world))
    rows = await users_world.rows("idps", orgId=users_world.org_id)

    assert [(change.kind, change.action) for change in first.changes[1:]] == [("identity_provider", "created")] * 2
    assert {change.action for change in second.changes} == {"unchanged"}
    assert {row["name"] for row in rows} == {"portal", "house"}
    assert SECRET not in str(rows)


async def test_secret_is_encrypted_again_for_another_issuer(users_world: Any) -> None:
    """The stored secret is bound to the issuer (MG-18)."""
    await users_world.apply(_document(users_world))
    changed = await users_world.apply(_document(users_world, issuer="https://new.example", clientSecret="new"))
    (row,) = await users_world.rows("idps", orgId=users_world.org_id, name="house")

    assert [change.action for change in changed.changes] == ["unchanged", "unchanged", "updated"]
    assert (
        users_world.service.find(SecretSealer).unseal(row["sealedSecret"], row["_id"], "https://new.example") == "new"
    )


async def test_trusted_email_is_bound_to_the_issuer(users_world: Any) -> None:
    """If absent it stays; another issuer is trusted only if the document states it again (MG-18)."""
    trusted = []
    for members in (
        {"trustedEmail": True},
        {},
        {"issuer": "https://new.example"},
        {"issuer": "https://new.example", "trustedEmail": True},
        {"trustedEmail": False},
    ):
        await users_world.apply(_document(users_world, **members))
        (row,) = await users_world.rows("idps", orgId=users_world.org_id, name="house")
        trusted.append(row["config"].get("trustedEmail", False))

    assert trusted == [True, True, False, True, False]


async def test_absent_options_stay(users_world: Any) -> None:
    """`autoRegister` is a separate option; all others are set together."""
    said = {"isLinkingAllowed": False, "autoLinking": "AUTO_LINKING_OPTION_USERNAME"}
    await users_world.apply(_document(users_world, providerOptions=said))
    await users_world.apply(_document(users_world, autoRegister=True))
    (left_out,) = await users_world.rows("idps", orgId=users_world.org_id, name="house")
    await users_world.apply(_document(users_world, providerOptions={}))
    (updated,) = await users_world.rows("idps", orgId=users_world.org_id, name="house")
    options = {"linking": False, "creation": True, "autoUpdate": False, "autoLinking": "username"}

    assert left_out["options"] == {**options, "autoCreation": True}
    assert updated["options"] == {**options, "linking": True, "autoCreation": False, "autoLinking": "none"}


async def test_rules_are_those_of_the_management_api(users_world: Any) -> None:
    """Errors have the path in the document (IP-03)."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(_document(users_world, issuer="https://127.0.0.1"))

    assert refused.value.id == "USER-602"
    assert refused.value.text.startswith("organizations[0].oidcIdps[0].issuer: ")


async def test_repeated_name_is_refused(users_world: Any) -> None:
    """Two identity providers of a document need different names, of whatever kind."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(_document(users_world, name="Portal"))

    assert refused.value.id == "USER-011"
