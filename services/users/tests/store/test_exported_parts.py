"""An export of some parts of an organization, and what it reads."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.apply import Organization
from portico_contracts.users import EXPORT, Export, ExportPart
from portico_users.storage.reader import Reader

from .exported import export_org, rich, users_of

pytestmark = pytest.mark.servers


@pytest.mark.parametrize(
    ("parts", "written"),
    [
        ((ExportPart.HUMANS,), {"humans"}),
        ((ExportPart.SERVICE_USERS,), {"service_users"}),
        ((ExportPart.PROJECTS, ExportPart.SERVICE_USERS), {"projects", "service_users"}),
    ],
)
async def test_some_parts_are_as_in_the_whole(
    users_world: Any, parts: tuple[ExportPart, ...], written: set[str]
) -> None:
    """The others are neither read nor written, and the name of the organization always is."""
    await users_world.apply_document(rich(users_world))
    whole, _notes = await export_org(users_world, f"org-{users_world.tag}")
    answer = await users_world.call(EXPORT, Export(org_id=f"org-{users_world.tag}", parts=parts))
    [found] = answer.document.organizations
    identity = {"name", "id", "primary_domain"}

    assert found == Organization(**{name: getattr(whole, name) for name in identity | written})
    assert answer.after == ""


async def test_reads_do_not_grow_with_users(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What users name, such as projects and groups, is read for all of a part at once."""
    tag, reads = users_world.tag, list[str]()
    await users_world.apply_document(rich(users_world))
    alice, _bob = users_of(users_world)
    for name in ("list_where", "map_where"):
        monkeypatch.setattr(Reader, name, counted(reads, name, getattr(Reader, name)))
    numbers = []
    for number in range(2):
        more = [
            {
                **alice,
                "id": f"n{number}{n}-{tag}",
                "username": f"n{number}{n}-{tag}",
                "email": {"email": users_world.mail(f"n{number}{n}")},
                "phone": None,
                "password": None,
                "idpLinks": [{"idp": f"own-{tag}", "userId": f"n{number}{n}", "userName": "n"}],
            }
            for n in range(3)
        ]
        await users_world.apply_document(
            {"organizations": [{"id": f"org-{tag}", "name": f"Acme {tag}", "humans": more}]}
        )
        reads.clear()
        answer = await users_world.call(EXPORT, Export(org_id=f"org-{tag}", parts=(ExportPart.HUMANS,)))
        numbers.append((len(answer.document.organizations[0].humans), len(reads)))

    assert [people for people, _ in numbers] == [4, 7]
    assert numbers[0][1] == numbers[1][1]


def counted(reads: list[str], name: str, read: Any) -> Any:
    async def reading(*arguments: Any, **options: Any) -> Any:
        reads.append(name)
        return await read(*arguments, **options)

    return reading
