from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from portico_contracts.apply import Document, Organization
from portico_contracts.users import APPLY, EXPORT, Apply, Export
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

CONDITION: Final = {"claim": "sub", "value": "job-1"}
WORKLOADS: Final = {
    "trustedWorkloads": [{"name": "job", "issuer": "https://ci.example", "audience": "a", "conditions": [CONDITION]}]
}


def declared(world: Any, *, before: bool, more: dict[str, Any], apps: tuple[dict[str, Any], ...] = ()) -> Document:
    """As an export was, or as an administrator has changed it since."""
    word = "old" if before else "new"
    app = world.app(id=f"a-{world.tag}", name=word, redirectUris=[f"https://{word}.example/cb"], devMode=before)
    api = world.api_app(
        id=f"b-{world.tag}", name=f"{word} api", resources=[] if before else [f"https://{world.tag}.example"]
    )
    project = {
        "id": f"p-{world.tag}",
        "name": word,
        "projectRoleCheck": before,
        "oidcApps": [app | more, *apps],
        "apiApps": [api | more],
    }
    org = {
        "id": f"org-{world.tag}",
        "name": f"{word} {world.tag}",
        "primaryDomain": f"{word}-{world.tag}.example",
        "projects": [project],
        "serviceUsers": [world.robot(name=word, description=word) | more],
    }
    return msgspec.convert({"organizations": [org]}, Document)


async def exported(world: Any) -> Organization:
    [org] = (await world.call(EXPORT, Export(org_id=f"org-{world.tag}"))).document.organizations
    assert isinstance(org, Organization)
    return org


@pytest.mark.parametrize("keeps", [True, False])
async def test_what_was_changed_since_an_export_stays(users_world: Any, keeps: bool) -> None:
    """A command that declares an object as it was shortly before changes only what a document may omit, and adds."""
    tag = users_world.tag
    others = [users_world.app(id=f"c-{tag}", name="more", clientId=f"more-{tag}", devMode=True)]
    for before in (True, False):
        await users_world.call(APPLY, Apply(document=declared(users_world, before=before, more={})))
    sent = declared(users_world, before=True, more=WORKLOADS, apps=tuple(others))
    applied = await users_world.call(APPLY, Apply(document=sent, keeps_settings=keeps))
    found = await exported(users_world)

    await users_world.call(
        APPLY, Apply(document=declared(users_world, before=not keeps, more=WORKLOADS, apps=tuple(others)))
    )
    assert applied.failure is None
    assert found == await exported(users_world)


async def test_change_of_what_was_changed_since_it_was_read_is_refused(users_world: Any) -> None:
    """The sequences of applications and service users are those of the export; nothing else is compared (USER-728)."""
    await users_world.call(APPLY, Apply(document=declared(users_world, before=True, more={})))
    read = await users_world.call(EXPORT, Export(org_id=f"org-{users_world.tag}"))
    sent = Apply(document=declared(users_world, before=True, more=WORKLOADS), sequences=read.sequences)
    stored = await users_world.call(APPLY, sent)
    other = msgspec.structs.replace(sent, document=declared(users_world, before=False, more=WORKLOADS))
    refused = []
    for check in (False, True):
        with pytest.raises(ServiceError) as error:
            await users_world.call(APPLY, msgspec.structs.replace(other, check=check))
        refused.append(error.value.id)

    assert sorted(read.sequences) == sorted(f"{kind}-{users_world.tag}" for kind in ("a", "b", "robot"))
    assert (stored.failure, refused) == (None, ["USER-728"] * 2)
