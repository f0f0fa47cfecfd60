"""The version of a release, and the preconditions for releasing it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

from portico_stack.kubernetes.names import VERSION

_SEMVER: Final = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
_FOLDERS: Final = ("libs/*", "services/*", "tools/*", ".")
_IMAGE: Final = re.compile(r"image: portico/[a-z-]+:(\S+)")


class ReleaseRefused(ValueError):
    """The release is refused; the message is shown to the releaser."""


def released_version(root: Path) -> str:
    """Returns the version shared by all parts.

    Raises:
        ReleaseRefused: the versions differ or are invalid.
    """
    files = sorted(file for folder in _FOLDERS for file in root.glob(f"{folder}/pyproject.toml"))
    found = {file.relative_to(root).as_posix(): _version_in(file) for file in files} | {"manifests": VERSION}
    if (compose := root / "docker-compose.yml").exists():
        found |= {f"{compose.name}:{image}": image for image in _IMAGE.findall(compose.read_text())}
    version = found["pyproject.toml"]
    others = sorted(name for name, other in found.items() if other != version)
    if others:
        raise ReleaseRefused(f"the version is {version}, and another one in {', '.join(others)}")
    if not _SEMVER.fullmatch(version):
        raise ReleaseRefused(f"{version} is no version (SemVer 2.0)")
    return version


def _version_in(file: Path) -> str:
    return str(tomllib.loads(file.read_text())["project"]["version"])


def notes_of(root: Path, version: str, *, dry: bool) -> str:
    """Returns the version's section of CHANGELOG.md; in a dry run the unreleased section.

    Raises:
        ReleaseRefused: the section is missing, or the unreleased section is not empty.
    """
    sections = {
        head.strip(): body.strip()
        for head, _, body in (text.partition("\n") for text in (root / "CHANGELOG.md").read_text().split("\n## ")[1:])
    }
    unreleased = sections.pop("Unreleased", "")
    if dry and unreleased:
        return unreleased
    if unreleased:
        raise ReleaseRefused(f'CHANGELOG.md has a section "Unreleased": it has to become "{version}"')
    if not sections.get(version):
        raise ReleaseRefused(f'CHANGELOG.md has no section "{version}"')
    return sections[version]


def refuse_changes(root: Path) -> str:
    """Returns the commit to release.

    Raises:
        ReleaseRefused: there are uncommitted changes.
    """
    changed = _git(root, "status", "--porcelain")
    if changed:
        raise ReleaseRefused(f"not everything is committed: {', '.join(line[3:] for line in changed.splitlines()[:5])}")
    return _git(root, "rev-parse", "HEAD")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.rstrip()
