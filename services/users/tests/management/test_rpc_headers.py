"""Headers of calls by Connect and gRPC-web whose values are not ASCII, which the library cannot read."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.servers

ADD = "AddProject"


async def call(managed: Any, method: str, body: dict[str, str], name: str, value: str) -> Any:
    headers = {
        b"Authorization": f"Bearer {managed.tokens['iam']}".encode(),
        b"Content-Type": b"application/json",
        b"Connect-Protocol-Version": b"1",
        name.encode(): value.encode(),
    }
    path = f"/portico.management.v1.ProjectService/{method}"
    return await managed.api.http.post(path, json=body, headers=list(headers.items()))


@pytest.mark.parametrize("name", ["x-service-orgid", "x-zitadel-orgid"])
async def test_named_organization_is_never_ignored(managed: Any, name: str) -> None:
    """The call would act on the caller's own organization (MG-04)."""
    answer = await call(managed, ADD, {"name": f"a {managed.tag}"}, name, "Z\u00fcrich")
    projects = await managed.users.rows("projects", name=f"a {managed.tag}")

    assert (answer.status_code, answer.json()["message"].endswith("(USER-313)"), projects) == (403, True, [])


async def test_expected_version_is_never_ignored(managed: Any) -> None:
    added = await call(managed, ADD, {"name": f"c {managed.tag}"}, "x-other", "Z\u00fcrich")
    body = {"projectId": added.json()["id"], "name": f"d {managed.tag}"}
    changed = await call(managed, "UpdateProject", body, "if-match", '"7\u00a0"')

    assert (changed.status_code, changed.json()["message"].endswith("(USER-729)")) == (400, True)
