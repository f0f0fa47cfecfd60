from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.apply import Document
from portico_contracts.users import EXPORT, Export
from portico_fakes.faulty_provider import CLIENT_ID, CLIENT_SECRET, ISSUER, FaultyProvider
from portico_fakes.management_api import ApiResponse
from portico_runtime.http_client.outbound import OutboundResponse

from .intent_pages import FAILURE, SUCCESS, Pages
from .intent_provider import state_in

pytestmark = pytest.mark.servers

_IAM = "portico.admin.v1.SettingsService"


async def test_header_selects_the_login_policy(pages: Pages) -> None:
    """For an instance provider the header selects the organization whose login policy applies; by default the
    instance's.
    """
    world, idp_id = pages.world, f"instances-{pages.world.tag}"
    jwt = {"id": idp_id, "name": idp_id, "jwtEndpoint": "https://portal.example/login"}
    jwt |= {"issuer": pages.portal.issuer, "keysEndpoint": "https://portal.example/keys"}
    await world.apply_document({"jwtIdps": [jwt]})
    await pages.set_up(idps=(pages.idp_id, idp_id))
    named = await pages.start(idp_id=idp_id, headers={"x-service-orgid": pages.managed.org_id})
    unnamed = await pages.start(idp_id=idp_id)
    other = await pages.start(idp_id=idp_id, headers={"x-service-orgid": pages.managed.other_org_id})

    assert (named.code, unnamed.error_code, other.error_code) == (0, "USER-960", "USER-960")


async def test_intent_with_an_oidc_provider(pages: Pages) -> None:
    """The flow uses PKCE, nonce and the provider's callback address, as a sign-in does (IP-05); its tokens are
    not passed on.
    """
    provider, idp_id = FaultyProvider(pages.world.clock), f"house-{pages.world.tag}"
    _publish(pages.world, provider)
    oidc = {"id": idp_id, "name": "house", "issuer": ISSUER, "clientId": CLIENT_ID, "clientSecret": CLIENT_SECRET}
    await pages.set_up(idps=(idp_id,), oidcIdps=[oidc])
    address = await pages.address(idp_id=idp_id)
    back = await pages.portal.bring_back(address, parameters=provider.follow(address))
    found = await pages.retrieve(back)

    assert f"/ui/login/idps/{idp_id}/callback" in address.replace("%2F", "/")
    assert state_in(address).startswith("intent.")
    assert found.body["idpInformation"]["idpId"] == idp_id
    assert set(found.body["idpInformation"]) == {"idpId", "userId", "rawInformation"}
    assert "token" not in str(found.body).lower()


def _publish(world: Any, provider: FaultyProvider) -> None:
    def get(url: str) -> Any:
        async def answer(_fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
            return await provider.get(url, headers)

        return answer

    async def exchange(fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
        return await provider.exchange(f"{ISSUER}/token", fields, headers)

    for path in ("/.well-known/openid-configuration", "/keys", "/userinfo"):
        world.providers.answers[ISSUER + path] = get(ISSUER + path)
    world.providers.answers[f"{ISSUER}/token"] = exchange


async def settings(managed: Any, verb: str, urls: Any = None) -> ApiResponse:
    body = {} if urls is None else {"urls": urls}
    response: ApiResponse = await managed.api.json(f"{_IAM}.{verb}IDPIntentSettings", body, token=managed.tokens["iam"])
    return response


async def test_intent_urls_are_read_back(managed: Any) -> None:
    """The addresses are readable through the API and exported, whether set by the API or by a document."""
    local = "http://localhost:3000/done"
    set_first = await settings(managed, "Set", [SUCCESS, local])
    unchanged = await settings(managed, "Set", [SUCCESS, local])
    read = await settings(managed, "Get")
    await managed.users.apply_document({"intentUrls": [FAILURE]})
    exported = (await managed.users.call(EXPORT, Export())).document
    await managed.users.apply_document({"intentUrls": []})
    none = await settings(managed, "Get")

    assert (set_first.code, unchanged.error_code) == (0, "USER-702")
    assert read.body["urls"] == [SUCCESS, local]
    assert isinstance(exported, Document)
    assert exported.intent_urls == (FAILURE,)
    assert "urls" not in none.body


@pytest.mark.parametrize(
    "url",
    [
        "http://login.example/x",
        "login.example",
        "/relative",
        "javascript:alert(1)",
        "com.example.app:/done",
        "https://user@login.example/x",
        "https://login.example/x?a=b",
        "https://login.example/x#a",
        "https://login.example/x y",
        SUCCESS,
    ],
)
async def test_unsafe_intent_url_is_refused(managed: Any, url: str) -> None:
    """URLs must be https or loopback http, without query and fragment, and not repeated, at both entry points
    (AZ-06).
    """
    answer = await settings(managed, "Set", [SUCCESS, url])
    with pytest.raises(Exception, match="USER-984"):
        await managed.users.apply_document({"intentUrls": [SUCCESS, url]})

    assert (answer.code, answer.error_code, answer.fields) == (3, "USER-984", ["urls[1]"])
