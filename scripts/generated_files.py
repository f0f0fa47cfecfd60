from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Generated:
    """Files that are generated together.

    Args:
        owned: glob patterns of paths that contain generated files only.
        wanted: text by path relative to the repository root.
    """

    owned: Sequence[str]
    wanted: dict[str, str]


def differing(root: Path, generated: Generated) -> list[str]:
    """Returns the paths that are missing, outdated, or stale."""
    wanted = generated.wanted
    stale = [path for path in _existing(root, generated.owned) if path not in wanted]
    changed = [path for path, text in wanted.items() if not _is(root / path, text)]
    return sorted(stale + changed)


def write(root: Path, generated: Generated) -> None:
    for path in differing(root, generated):
        target = root / path
        if path not in generated.wanted:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(generated.wanted[path])


def compare_or_write(generated: Generated, arguments: list[str]) -> int:
    """Returns 1 if ``--check`` found a difference, 2 for unknown arguments."""
    if arguments == ["--check"]:
        outdated = differing(ROOT, generated)
        for path in outdated:
            print(f"{path} is not what the code says")
        if outdated:
            print("Run `make gen` and commit the result.")
        return 1 if outdated else 0
    if arguments:
        print("python scripts/generate.py [--check]")
        return 2
    write(ROOT, generated)
    return 0


def _existing(root: Path, owned: Sequence[str]) -> list[str]:
    found = (path for pattern in owned for path in root.glob(pattern) if path.is_file())
    return [path.relative_to(root).as_posix() for path in found if "__pycache__" not in path.parts]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text
