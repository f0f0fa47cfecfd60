"""Links of users to identities at identity providers (MG-16)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
IDP = "portico.management.v1.IDPService"
CONFIG = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}


async def _idp(managed: Any, *, by: str = "owner") -> str:
    body = {"name": f"jwt {managed.tag}", **CONFIG}
    response = await call_as(managed, f"{IDP}.AddOrgJWTIDP", body, by=by)
    return str(response.body["idpId"])


def _link(idp_id: str, user_id: str = "over-there") -> dict[str, str]:
    return {"idpId": idp_id, "userId": user_id, "userName": "ada@over.example"}


async def _add(managed: Any, user: str, link: Any, *, by: str = "owner") -> ApiResponse:
    path = f"/v2/users/{user}-{managed.tag}/links"
    return await call_as(managed, f"{USER}.AddIDPLink", {"idpLink": link}, by=by, path=path)


async def _remove(managed: Any, user: str, idp_id: str, there: str = "over-there") -> ApiResponse:
    path = f"/v2/users/{user}-{managed.tag}/links/{idp_id}/{there}"
    return await call_as(managed, f"{USER}.RemoveIDPLink", {}, path=path)


async def _list(managed: Any, user: str) -> list[dict[str, str]]:
    path, token = f"/v2/users/{user}-{managed.tag}/links/_search", managed.tokens["owner"]
    response = await managed.api.json(f"{USER}.ListIDPLinks", {}, token=token, path=path)
    found: list[dict[str, str]] = response.body.get("result", [])
    return found


async def test_link_is_added_listed_and_removed(managed: Any) -> None:
    """Links are listed with the name of the provider, also under the older paths."""
    idp_id = await _idp(managed)
    added = await _add(managed, "self", _link(idp_id))
    wanted = [{**_link(idp_id), "idpName": f"jwt {managed.tag}"}]
    old = await call_as(
        managed,
        f"{IDP}.ListHumanLinkedIDPs",
        {},
        by="self",
        path=f"/management/v1/users/self-{managed.tag}/idps/_search",
    )

    assert (added.code, added.body["details"]["sequence"]) == (0, "2")
    assert await _list(managed, "self") == old.body["result"] == wanted
    assert (await _add(managed, "self", _link(idp_id, "2"))).code == 0
    assert (await _remove(managed, "self", idp_id)).code == 0
    assert (await _remove(managed, "self", idp_id)).error_code == "USER-613"
    assert [link["userId"] for link in await _list(managed, "self")] == ["2"]


async def test_identity_belongs_to_one_user(managed: Any) -> None:
    """Linking it to a second user gives code 6 until the first link is removed."""
    idp_id = await _idp(managed)
    assert (await _add(managed, "self", _link(idp_id))).code == 0
    again, other = await _add(managed, "self", _link(idp_id)), await _add(managed, "viewer", _link(idp_id))
    created = await managed.add(managed.new_human(idpLinks=[_link(idp_id)]))

    assert {response.error_code for response in (again, other, created)} == {"USER-610"}
    assert created.code == 6
    assert (await _add(managed, "self", _link(idp_id, "2"))).code == 0
    await _remove(managed, "self", idp_id)
    assert (await _add(managed, "viewer", _link(idp_id))).code == 0


async def test_new_user_can_have_links(managed: Any) -> None:
    """A user can be created with the `idpLinks` of the specification."""
    idp_id = await _idp(managed)
    added = await managed.add(managed.new_human(idpLinks=[_link(idp_id, "1"), _link(idp_id, "2")]))

    assert added.code == 0, added.body
    assert sorted(link["userId"] for link in await _list(managed, "new")) == ["1", "2"]


@pytest.mark.parametrize("whose", ["foreign", "unknown"])
async def test_provider_of_another_organization_is_unknown(managed: Any, whose: str) -> None:
    """The link gives code 5, and no user is created."""
    idp_id = await _idp(managed, by="foreign") if whose == "foreign" else "nobody"
    created = await managed.add(managed.new_human(idpLinks=[_link(idp_id)]))
    linked = await _add(managed, "self", _link(idp_id))

    assert (created.code, created.error_code) == (linked.code, linked.error_code) == (5, "USER-318")
    assert (await managed.get(f"new-{managed.tag}")).code == 5


async def test_users_cannot_link_themselves(managed: Any) -> None:
    """A link without a sign-in at the provider would be an unverified claim."""
    assert (await _add(managed, "self", _link(await _idp(managed)), by="self")).code == 7


@pytest.mark.parametrize("user_id", [" blanks ", "line\nbreak"])
async def test_invalid_identity_is_refused(managed: Any, user_id: str) -> None:
    """An identity with control characters or surrounding spaces is refused."""
    refused = await _add(managed, "self", _link(await _idp(managed), user_id))

    assert (refused.code, refused.error_code) == (3, "USER-611")


async def test_links_to_a_removed_provider_are_deleted(managed: Any) -> None:
    idp_id = await _idp(managed)
    await _add(managed, "self", _link(idp_id))
    path = f"/management/v1/idps/{idp_id}"
    await call_as(managed, f"{IDP}.RemoveOrgIDP", {}, path=path)

    assert await _list(managed, "self") == []


async def test_last_login_method_is_not_removed(managed: Any) -> None:
    """A user whose only login method is one link keeps it; one of two links can be removed (IP-06)."""
    idp_id = await _idp(managed)
    added = await managed.add(managed.new_human(idpLinks=[_link(idp_id, "1"), _link(idp_id, "2")]))
    assert added.code == 0, added.body

    assert (await _remove(managed, "new", idp_id, "1")).code == 0
    last = await _remove(managed, "new", idp_id, "2")
    assert (last.code, last.error_code) == (9, "USER-982")
    assert [link["userId"] for link in await _list(managed, "new")] == ["2"]
