"""`portico upgrade check` on records that the two releases before stored themselves (decision 0106)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from portico_harness.portico_command import portico
from portico_scenarios.stored_data import FOLDER, backup_of, versions

pytestmark = [pytest.mark.e2e, pytest.mark.long]


async def check(version: str, folder: Path, *more: str) -> tuple[int, dict[str, tuple[str, str]]]:
    backup = backup_of(version, folder)
    source = ("--data", str(folder / "nothing"), "--backup", str(backup.file), *backup.options)
    status, output = await portico("upgrade", "check", "--json", *source, *more)
    findings = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return status, {one["name"]: (one["level"], one["text"]) for one in findings}


STORED: Final = {"0.2.0": (2, "3 users, 2 applications"), "0.3.0": (3, "3 users, 4 applications")}
"""Organizations, users and applications: the demo data of 0.3 also have those of the console."""


def test_every_stored_release_is_rehearsed() -> None:
    assert versions() == list(STORED)


@pytest.mark.parametrize("version", STORED)
async def test_upgrade_of_stored_data_is_rehearsed(version: str, tmp_path: Path) -> None:
    """This release starts on the records, migrates all of them, loses none, and knows the document that made them."""
    document = FOLDER / "document.yaml"
    status, found = await check(version, tmp_path, "--rehearse", "--document", str(document))

    assert status == 0, found
    assert {level for level, _ in found.values()} == {"ok"}
    assert f"by release {version}" in found["release"][1]
    organizations, others = STORED[version]
    assert f"org-words ({organizations})" in found["users migrations"][1]
    assert found["objects"][1] == f"{others}, as before"
    assert found["document"][1] == f"{document} is accepted, and would change 0 of 6 objects"


async def test_missing_master_key_stops_the_upgrade(tmp_path: Path) -> None:
    """Secrets that the given master keys cannot decrypt are named, and nothing is rehearsed."""
    other = tmp_path / "other"
    other.write_text("b29vb29vb29vb29vb29vb29vb29vb29vb29vb29vb28=")
    status, found = await check("0.2.0", tmp_path, "--rehearse", "--users-master-keys", str(other))

    assert status == 1
    assert found["users master keys"][0] == "wrong"
    assert "1 identity provider secret with master key" in found["users master keys"][1]
    assert found["rehearsal"][0] == "warning"
