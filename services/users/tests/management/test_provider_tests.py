"""Test sign-ins: claims and effect are shown to the user who started the test, and nothing changes."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse

from .intent_pages import Pages

pytestmark = pytest.mark.servers

IDPS: Final = "portico.management.v1.IDPService"
CLAIMS: Final = {"given_name": "Ada", "email": "ada@portal.example", "access_token": "canary-token"}


class Trial:
    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.path = f"/management/v1/idps/templates/{pages.idp_id}/tests"

    async def start(self, *, by: str = "owner", path: str = "") -> ApiResponse:
        return await self._call("StartProviderTest", {}, by, path or self.path)

    async def come_back(self, claims: dict[str, Any] | None = None) -> dict[str, str]:
        started = await self.start()
        assert started.code == 0, started.body
        return await self.pages.portal.bring_back(started.body["authUrl"], CLAIMS if claims is None else claims)

    async def get(self, back: dict[str, str], *, by: str = "owner", token: str = "") -> ApiResponse:
        body = {"token": token or back["token"]}
        return await self._call("GetProviderTest", body, by, f"{self.path}/{back['id']}")

    async def _call(self, name: str, body: Any, by: str, path: str) -> ApiResponse:
        managed = self.pages.managed
        answer: ApiResponse = await managed.api.json(f"{IDPS}.{name}", body, token=managed.tokens[by], path=path)
        return answer


@pytest.fixture
async def trial(pages: Pages) -> Trial:
    await pages.managed.furnish("owner", "viewer", "foreign")
    return Trial(pages)


async def test_claims_and_effect_are_shown_once(trial: Trial) -> None:
    """The browser returns to the console with a token, which works once and for the starter only."""
    back = await trial.come_back()
    others = [await trial.get(back, by=by) for by in ("iam", "viewer", "foreign")]
    guessed = await trial.get(back, token="guessed")
    found, again = [await trial.get(back) for _ in range(2)]
    claims = {one["name"]: one["value"] for one in found.body["claims"][0]["claims"]}

    assert back["page"].endswith("/ui/console/provider-test")
    assert [one.error_code for one in (others[0], guessed, again)] == ["USER-992"] * 3
    assert [one.code for one in others[1:]] == [7, 5]
    assert found.body["claims"][0]["source"] == "jwt"
    assert (claims["email"], claims["access_token"]) == ("ada@portal.example", "…")
    assert found.body["effect"] == "PROVIDER_TEST_EFFECT_ASKS"
    assert "missing" not in found.body
    assert found.body["user"]["firstName"] == "Ada"


async def test_nothing_is_created_or_changed(trial: Trial) -> None:
    """Accounts, links and events stay, even where a sign-in would create an account."""
    world = trial.pages.world
    tables = ("users", "events")
    before = [len(await world.rows(table, orgId=trial.pages.managed.org_id)) for table in tables]
    await trial.get(await trial.come_back({**CLAIMS, "family_name": "Byron"}))
    await trial.come_back({"iss": "https://other.example"})

    assert [len(await world.rows(table, orgId=trial.pages.managed.org_id)) for table in tables] == before


async def test_refusal_is_explained(trial: Trial) -> None:
    """The result has the claims that were refused, the reason and its correction."""
    back = await trial.come_back({"iss": "https://other.example"})
    found = await trial.get(back)

    assert (found.body["errorId"], found.body["errorFix"]) == ("USER-966", "Set iss to exactly the configured issuer.")
    assert found.body["claims"][0]["claims"]
    assert "user" not in found.body


async def test_provider_does_not_have_to_be_offered(trial: Trial) -> None:
    """A provider is tested before its button is shown, and also while it is inactive."""
    await trial.pages.set_up(idps=(), state="inactive")
    found = await trial.get(await trial.come_back())

    assert found.body["effect"] == "PROVIDER_TEST_EFFECT_ASKS"


async def test_linked_user_is_named(trial: Trial) -> None:
    user = f"self-{trial.pages.world.tag}"
    link = {"idpId": trial.pages.idp_id, "userId": "7f3c1e", "userName": "x"}
    managed = trial.pages.managed
    await managed.api.json(
        "portico.user.v2.UserService.AddIDPLink",
        {"idpLink": link},
        token=managed.tokens["iam"],
        path=f"/v2/users/{user}/links",
    )
    found = await trial.get(await trial.come_back())

    assert (found.body["effect"], found.body["userId"]) == ("PROVIDER_TEST_EFFECT_SIGNS_IN", user)


@pytest.mark.parametrize(
    ("status", "document", "expected"),
    [
        (404, {}, {"errorId": "USER-962", "errorCause": "status 404"}),
        (503, {}, {"errorId": "USER-961", "errorCause": "status 503"}),
        (
            200,
            {"issuer": "https://wrong.example/"},
            {"errorId": "USER-981", "errorDescription": "https://wrong.example/"},
        ),
        (200, {"issuer": "https://wrong.example"}, {"errorId": "USER-962", "errorCause": "metadata"}),
    ],
)
async def test_wrong_issuer_is_the_result_of_a_test(
    trial: Trial, status: int, document: dict[str, str], expected: dict[str, str]
) -> None:
    """The result has the address that was called and its answer, and counts as the last test."""
    managed, url = trial.pages.managed, "https://wrong.example/.well-known/openid-configuration"

    async def answer(_fields: dict[str, str], _headers: dict[str, str]) -> OutboundResponse:
        return OutboundResponse(status, json.dumps(document).encode())

    trial.pages.world.providers.answers[url] = answer
    client = {"name": "Wrong", "clientId": "a", "clientSecret": "b", "issuer": "https://wrong.example"}
    added = await managed.api.json(f"{IDPS}.AddGenericOIDCProvider", client, token=managed.tokens["owner"])
    path = f"/management/v1/idps/templates/{added.body['id']}"
    started = await trial.start(path=f"{path}/tests")
    body = {"token": started.body["token"]}
    result = await managed.api.json(
        f"{IDPS}.GetProviderTest", body, token=managed.tokens["owner"], path=f"{path}/tests/{started.body['testId']}"
    )
    read = await managed.api.json(f"{IDPS}.GetProviderByID", {}, token=managed.tokens["owner"], path=path)

    assert "authUrl" not in started.body
    assert {name: result.body.get(name) for name in ("errorUrl", *expected)} == {"errorUrl": url, **expected}
    assert read.body["lastTest"]["errorId"] == expected["errorId"]


async def test_last_test_is_kept_without_its_claims(trial: Trial) -> None:
    """The provider has the time and the error of its last test, and whether it was changed since."""
    managed, path = trial.pages.managed, f"/management/v1/idps/templates/{trial.pages.idp_id}"
    seen = []
    for claims in (None, {"iss": "https://other.example"}):
        await trial.get(await trial.come_back(claims))
        read = await managed.api.json(f"{IDPS}.GetProviderByID", {}, token=managed.tokens["viewer"], path=path)
        seen.append(read.body["lastTest"])
    await managed.api.json(
        f"{IDPS}.UpdateOrgIDP", {"name": "Other"}, token=managed.tokens["owner"], path=path.replace("templates/", "")
    )
    changed = await managed.api.json(f"{IDPS}.GetProviderByID", {}, token=managed.tokens["viewer"], path=path)

    assert [one.get("errorId", "") for one in seen] == ["", "USER-966"]
    assert seen[0]["userId"].startswith("owner")
    assert changed.body["lastTest"]["outdated"] is True
    assert "ada@" not in str(await trial.pages.world.rows("idpTests", _id=trial.pages.idp_id))


async def test_provider_changed_after_the_callback_counts_as_untested(trial: Trial) -> None:
    """The last test is that of the configuration which was tested, not of the one when the result is shown."""
    managed, path = trial.pages.managed, f"/management/v1/idps/templates/{trial.pages.idp_id}"
    back = await trial.come_back()
    changed = await managed.api.json(
        f"{IDPS}.UpdateOrgIDP", {"name": "Other"}, token=managed.tokens["owner"], path=path.replace("templates/", "")
    )
    result = await trial.get(back)
    read = await managed.api.json(f"{IDPS}.GetProviderByID", {}, token=managed.tokens["viewer"], path=path)

    assert (changed.code, result.code) == (0, 0)
    assert read.body["lastTest"]["outdated"] is True


async def test_test_is_no_intent(trial: Trial) -> None:
    """A caller with the intent permission cannot retrieve the identity of a test."""
    back = await trial.come_back()
    retrieved = await trial.pages.retrieve(back)
    intent = await trial.pages.come_back()
    taken = await trial.get(intent, by="pages")

    assert retrieved.error_code == "USER-985"
    assert taken.code == 7


async def test_test_expires_and_its_callback_works_once(trial: Trial) -> None:
    """After ten minutes neither the callback nor the result is known."""
    started = await trial.start()
    back = await trial.pages.portal.bring_back(started.body["authUrl"])
    with pytest.raises(ServiceError, match="USER-985"):
        await trial.pages.portal.bring_back(started.body["authUrl"])
    trial.pages.world.clock.tick(600)

    assert (await trial.get(back)).error_code == "USER-992"


async def test_id_of_a_new_provider_can_be_chosen(trial: Trial) -> None:
    """The redirect URI contains the id, so it is known before the provider exists; ids are unique and need no encoding."""
    managed = trial.pages.managed
    id = f"chosen{managed.tag}".lower().replace("-", "")[:50]
    body = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example/keys"}
    answers = [
        await managed.api.json(
            f"{IDPS}.AddGenericJWTProvider", {**body, "name": name, "id": wanted}, token=managed.tokens["owner"]
        )
        for name, wanted in (("first", id), ("second", id), ("third", "a/b"))
    ]

    assert answers[0].body["id"] == id
    assert (answers[1].code, answers[2].fields) == (6, ["id"])
