from __future__ import annotations

from typing import Any, Final

from portico_fakes.management_api import ApiResponse, ManagementApi

from .intent_provider import IntentProvider

START: Final = "portico.user.v2.UserService.StartIdentityProviderIntent"
RETRIEVE: Final = "portico.user.v2.UserService.RetrieveIdentityProviderIntent"
SUCCESS: Final = "https://login.example/success"
FAILURE: Final = "https://login.example/failure"


class Pages:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.world = managed.users
        self.portal = IntentProvider(managed.users)
        self.idp_id = f"portal-{managed.tag}"
        for name in ("pages", "others"):
            managed.tokens[name] = managed.api.token_of(f"{name}-{managed.tag}")

    async def set_up(self, *, idps: tuple[str, ...] | None = None, state: str = "active", **members: Any) -> None:
        robots = [
            {"id": f"{name}-{self.world.tag}", "username": f"{name}-{self.world.tag}", "name": name, "roles": roles}
            for name, roles in (("pages", ["IAM_LOGIN_CLIENT"]), ("others", ["IAM_LOGIN_CLIENT"]))
        ]
        jwt = {"id": self.idp_id, "name": "portal", "state": state, "jwtEndpoint": "https://portal.example/login"}
        jwt |= {"issuer": self.portal.issuer, "keysEndpoint": "https://portal.example/keys"}
        org = {"id": self.managed.org_id, "name": self.managed.org_id, "serviceUsers": robots, "jwtIdps": [jwt]}
        org |= {"loginPolicy": {"idps": list((self.idp_id,) if idps is None else idps)}, **members}
        await self.world.apply_document({"organizations": [org], "intentUrls": [SUCCESS, FAILURE]})

    async def allow_urls(self) -> None:
        """Allows the URLs in the instance, which `ManagedWorld.write_once` does not copy."""
        instances, urls = self.world.parts.mongo.database["instances"], [SUCCESS, FAILURE]
        updated = await instances.update_one({"_id": "instance"}, {"$set": {"intentUrls": urls}})
        if not updated.matched_count:
            await self.world.apply_document({"intentUrls": urls})

    async def start(self, *, by: str = "pages", urls: Any = None, idp_id: str = "", **more: Any) -> ApiResponse:
        wanted = {"successUrl": SUCCESS, "failureUrl": FAILURE} if urls is None else urls
        body = {"idpId": idp_id or self.idp_id, "urls": wanted}
        return await self._call(self.managed.api, START, body, by, **more)

    async def retrieve(
        self, back: dict[str, str], *, by: str = "pages", token: str = "", api: ManagementApi | None = None
    ) -> ApiResponse:
        path = f"/v2/idp_intents/{back['id']}"
        body = {"idpIntentToken": token or back["token"]}
        return await self._call(api or self.managed.api, RETRIEVE, body, by, path=path)

    async def address(self, **members: Any) -> str:
        started = await self.start(**members)
        assert started.code == 0, started.body
        return str(started.body["authUrl"])

    async def come_back(self, claims: dict[str, Any] | None = None) -> dict[str, str]:
        return await self.portal.bring_back(await self.address(), claims)

    async def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.world.rows("idpIntents", idpId=self.idp_id)
        return found

    async def refusals(self) -> list[str]:
        rows = await self.world.rows("events", table="idpSignIns", orgId=self.managed.org_id)
        return [row["values"]["errorId"] for row in sorted(rows, key=lambda row: float(row["at"]))]

    async def _call(self, api: ManagementApi, name: str, body: Any, by: str, **more: Any) -> ApiResponse:
        return await api.json(name, body, token=self.managed.tokens[by], **more)
