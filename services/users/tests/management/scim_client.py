"""A directory that sends people and groups to the organization of a test."""

from __future__ import annotations

from typing import Any

import httpx

SERVICE = "portico.management.v1.ScimService"
ADD = f"{SERVICE}.AddScimConnection"
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


class Provisioner:
    """Attributes:
    id: of its connection.
    """

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.id = ""
        self.secret = ""

    async def connect(self, *, by: str = "owner", **members: Any) -> Provisioner:
        name = f"client {self.managed.tag} {len(members)} {by}"
        token = self.managed.tokens[by]
        answer = await self.managed.api.json(ADD, {"name": name, **members}, token=token)
        assert answer.code == 0, answer.body
        self.id, self.secret = answer.body["id"], answer.body["secret"]
        return self

    async def send(
        self, verb: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        sent = {"Authorization": f"Bearer {self.secret}", **(headers or {})}
        content: dict[str, Any] = {}
        if body is not None:
            sent.setdefault("Content-Type", "application/scim+json")
            content["content"] = httpx.Request("POST", "http://x", json=body).content
        answer: httpx.Response = await self.managed.api.http.request(
            verb, f"/scim/v2/{self.id}{path}", headers=sent, **content
        )
        return answer

    def person(self, name: str = "ada", **members: Any) -> dict[str, Any]:
        mail = self.mail(name)
        return {
            "schemas": [USER],
            "userName": mail,
            "externalId": f"{name}-external",
            "name": {"givenName": "Ada", "familyName": "Byron"},
            "emails": [{"value": mail, "type": "work", "primary": True}],
            "active": True,
            **members,
        }

    def mail(self, name: str) -> str:
        return f"{name}@{self.managed.tag}.people.example"

    async def add(self, name: str = "ada", **members: Any) -> dict[str, Any]:
        answer = await self.send("POST", "/Users", self.person(name, **members))
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def patch(self, path: str, *operations: dict[str, Any]) -> httpx.Response:
        return await self.send("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})

    async def get(self, path: str) -> dict[str, Any]:
        answer = await self.send("GET", path)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def group(self, name: str = "Staff", members: list[str] | None = None, **more: Any) -> dict[str, Any]:
        body = {"schemas": [GROUP], "displayName": f"{name} {self.managed.tag}", **more}
        if members is not None:
            body["members"] = [{"value": one} for one in members]
        answer = await self.send("POST", "/Groups", body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def member_ids(self, group_id: str) -> list[str]:
        return [one["value"] for one in (await self.get(f"/Groups/{group_id}")).get("members", [])]

    async def events(self) -> int:
        return len(await self.managed.users.rows("events", actor=self.id))

    async def change(self, method: str, path: str, body: Any = None) -> Any:
        """Calls an operation on the connection as the owner of the organization."""
        address = f"/management/v1/scim/connections/{self.id}{path}"
        token = self.managed.tokens["owner"]
        return await self.managed.api.json(f"{SERVICE}.{method}", body or {}, token=token, path=address)

    async def read(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.change("GetScimConnection", "")).body["connection"]
        return found

    async def status(self, secret: str, path: str = "/Users") -> int:
        return (await self.send("GET", path, headers={"Authorization": f"Bearer {secret}"})).status_code

    async def verify_domain(self) -> None:
        """The organization verifies the domain of its people's addresses."""
        domain = {"name": f"{self.managed.tag}.people.example", "verified": True}
        await self.managed.users.parts.mongo.database["orgs"].update_one(
            {"_id": self.managed.org_id}, {"$set": {"domains": [domain], "domainKeys": [domain["name"]]}}
        )

    async def local_user(self, name: str, *, by: str = "owner") -> str:
        """A user whom an administrator added."""
        members = {"username": self.mail(name), "email": {"email": self.mail(name), "isVerified": True}}
        answer = await self.managed.add(self.managed.new_human(name, **members), by=by)
        assert answer.code == 0, answer.body
        return str(answer.body["userId"])

    async def emails(self) -> set[str]:
        """The ids of the emails that wait."""
        return {row["_id"] for row in await self.managed.users.rows("mails")}

    async def make_administrator(self, user_id: str) -> None:
        """Gives a user an administrator role in the organization."""
        body, token = {"userId": user_id, "roles": ["ORG_OWNER_VIEWER"]}, self.managed.tokens["owner"]
        name = "portico.management.v1.MemberService.AddOrgMember"
        assert (await self.managed.api.json(name, body, token=token)).code == 0
