from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any, Final

import pytest
from generated_code.openapi import openapi

pytestmark = pytest.mark.e2e

LIBRARIES: Final = Path(__file__).parents[2] / "tests-e2e" / "api_libraries"
PROGRAMS: Final = LIBRARIES / "node_modules" / ".bin"
USED: Final = "/v2/users/human"
"""The path that usage.ts calls."""


def _document() -> dict[str, Any]:
    (text,) = openapi().values()
    document: dict[str, Any] = json.loads(text)
    return document


def _used_part() -> dict[str, Any]:
    """The document with the path and the schemas that usage.ts names, and all schemas these refer to."""
    document = _document()
    document["paths"] = {USED: document["paths"][USED]}
    schemas = document["components"]["schemas"]
    named = set(re.findall(r'Schemas\["([^"]+)"', (LIBRARIES / "usage.ts").read_text()))
    rest = {name: part for name, part in document.items() if name != "components"}
    named |= _referred([rest, document["components"]["responses"]])
    used: set[str] = set()
    while new := named - used:
        used |= new
        named |= _referred([schemas[name] for name in new])
    document["components"]["schemas"] = {name: schemas[name] for name in sorted(used)}
    return document


def _referred(part: object) -> set[str]:
    return set(re.findall(r"#/components/schemas/([\w.]+)", json.dumps(part)))


async def _run(program: str, *arguments: str, directory: Path) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        PROGRAMS / program, *arguments,
        cwd=directory, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    return process.returncode, said.decode()


async def _compiled(documents: dict[str, dict[str, Any]], directory: Path) -> str:
    """Returns the output of the compiler for the client's code with the types of each document."""
    for name, document in documents.items():
        (directory / name).mkdir()
        (directory / name / "api.json").write_text(json.dumps(document))
        shutil.copy(LIBRARIES / "usage.ts", directory / name)
        code, said = await _run("openapi-typescript", "api.json", "--output", "api.d.ts", directory=directory / name)
        assert code == 0, said
    # Without --skipLibCheck tsc compares each type of the API, used or not, for three seconds.
    programs = [f"{name}/usage.ts" for name in documents]
    return (await _run("tsc", "--noEmit", "--strict", "--skipLibCheck", *programs, directory=directory))[1]


def _without_required() -> dict[str, Any]:
    """The document with ``required`` in an ``allOf``, where generators ignore it."""
    document = _used_part()
    for schema in document["components"]["schemas"].values():
        if required := schema.pop("required", None):
            schema["allOf"] = [*schema.get("allOf", []), {"required": required}]
    return document


async def test_generated_types_require_required_fields(tmp_path: Path) -> None:
    """The client's code compiles, but not with types that do not require these fields."""
    said = await _compiled({"right": _used_part(), "wrong": _without_required()}, tmp_path)
    lines = said.splitlines()

    assert said.count("Unused '@ts-expect-error' directive") == 6
    assert [line for line in lines if not line.startswith("wrong/usage.ts(")] == []


@pytest.mark.long
async def test_types_of_all_paths_require_required_fields(tmp_path: Path) -> None:
    """The program for types takes eight seconds of a processor for all paths."""
    assert await _compiled({"all": _document()}, tmp_path) == ""
