"""Documents that `portico convert` writes for the example exports: the plan, the real run and the second document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from portico_cli.cli import main
from portico_contracts.apply import Document
from portico_contracts.documents.reading import read_document
from portico_contracts.users import APPLY, GET_GROUPS, IMPORT_USERS, Applied, Apply, GetGroups, ImportUsers

pytestmark = pytest.mark.servers

EXPORTS = Path(__file__).parents[4] / "tests-e2e/exports"


class Moved:
    """Exports with ids and names that no other test uses, and the commands of the guides."""

    def __init__(self, world: Any, folder: Path) -> None:
        self.world = world
        self.folder = folder
        for file in (*EXPORTS.glob("zitadel-*.json"), EXPORTS / "authentik.yaml"):
            text = file.read_text().replace("acme", f"acme{world.tag}").replace("6962902390648", f"{world.tag}-")
            (folder / file.name).write_text(text.replace("Acme", f"Acme {world.tag}"))

    def convert(self, *words: str) -> str:
        output, command = self.folder / "output", ("user",) if words[0] == "user" else ()
        shown = [str(self.folder / one) if "." in one else one for one in words[len(command) :]]
        typed = [*command, "convert", "--from", *shown, "--output", str(output)]
        result = CliRunner().invoke(main, typed, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return output.read_text()

    def document(self, *words: str) -> Document:
        return read_document(self.convert(*words), "output", {})

    async def apply(self, document: Document, *, check: bool = False) -> list[tuple[str, str]]:
        applied: Applied = await self.world.bus.call(APPLY, Apply(document=document, check=check), seconds=30)
        assert applied.failure is None, applied.failure
        return [(change.kind, change.action) for change in applied.changes]

    async def import_rows(self, rows: str, org_id: str = "") -> list[str]:
        ask = ImportUsers(rows=tuple(rows.splitlines()), org_id=org_id)
        return [row.status for row in (await self.world.call(IMPORT_USERS, ask)).rows]


@pytest.fixture
def moved(users_world: Any, tmp_path: Path) -> Moved:
    return Moved(users_world, tmp_path)


async def test_zitadel_moves_with_its_members(moved: Moved) -> None:
    """Both documents are planned and applied as they are, a second run changes nothing, and members have their roles."""
    export, tag = "zitadel-organizations.json", moved.world.tag
    whole = moved.document("zitadel", export, "zitadel-apps.json", "zitadel-providers.json")
    planned = await moved.apply(whole, check=True)
    first, again = await moved.apply(whole), await moved.apply(whole)
    imported = await moved.import_rows(moved.convert("user", "zitadel", export))
    second = moved.document("zitadel", export, "zitadel-apps.json", "zitadel-members.json", "--grants")
    granted, after = await moved.apply(second), await moved.apply(second)
    rows = await moved.world.rows("members", userId={"$regex": f"^{tag}-"})

    assert planned == first
    assert {action for _, action in first} == {"created"}
    assert [kind for kind, _ in first].count("identity_provider") == 9
    assert {action for _, action in (*again, *after)} == {"unchanged"}
    assert imported == ["created"] * 3
    assert [one for one in granted if one[1] != "unchanged"]
    assert {(row["userId"], row["scopeId"], *row["roles"]) for row in rows} == {
        (f"{tag}-4000", f"{tag}-1000", "ORG_OWNER"),
        (f"{tag}-4001", "instance", "IAM_OWNER_VIEWER"),
        (f"{tag}-4001", f"{tag}-2000", "PROJECT_OWNER"),
        (f"{tag}-4100", f"{tag}-1000", "ORG_OWNER_VIEWER"),
        (f"{tag}-4200", f"{tag}-1000", "ORG_USER_MANAGER"),
        (f"{tag}-4200", f"{tag}-5000", "PROJECT_GRANT_OWNER"),
    }


async def test_authentik_moves_with_its_groups(moved: Moved) -> None:
    """Applications, providers and groups are created, and imported users are put into their groups by name."""
    org_id = f"acme{moved.world.tag}"
    words = ("authentik", "authentik.yaml", "--organization", org_id)
    whole = moved.document(*words)
    planned = await moved.apply(whole, check=True)
    first, again = await moved.apply(whole), await moved.apply(whole)
    ada = {
        "username": f"{org_id}-ada",
        "profile": {"firstName": "Ada", "lastName": "Byron"},
        "email": {"email": f"ada@{org_id}.localhost"},
    }
    imported = await moved.import_rows(json.dumps(ada), org_id)
    second = moved.document(*words, "--grants")
    granted, after = await moved.apply(second), await moved.apply(second)
    [user] = await moved.world.rows("users", userName=ada["username"])
    groups = (await moved.world.call(GET_GROUPS, GetGroups(user_id=user["_id"]))).names

    assert planned == first
    assert {action for _, action in first} == {"created"}
    assert [kind for kind, _ in first].count("group") == 2
    assert {action for _, action in (*again, *after)} == {"unchanged"}
    assert imported == ["created"]
    assert [one for one in granted if one[1] != "unchanged"] == [("human", "updated")]
    assert groups == ("till",)
