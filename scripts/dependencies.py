"""Reports dependencies that end soon or have ended, and refreshes the dates of their releases.

python scripts/dependencies.py ends    warns of ends; `make check` runs it, and it never fails for an end
python scripts/dependencies.py dates   writes versions and dates of releases into dependencies.toml, after `make lock`
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from generated_pages.dependencies import DATA, LOCK, direct_names, locked_versions, normal, packages, servers, warnings

_UV: Final = Path(sys.executable).with_name("uv")
_ENTRY: Final = re.compile(r"^\[packages\.([\w-]+)\]\nversion = .*\nreleased = .*$", re.MULTILINE)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["ends"]:
            for line in warnings([*servers(), *packages()], date.today()):
                print(f"warning: {line}", file=sys.stderr)
        case ["dates"]:
            versions = locked_versions(LOCK.read_text())
            DATA.write_text(with_dates(DATA.read_text(), versions, released(_locked_files(versions))))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def released(lock: dict[str, Any]) -> dict[str, date]:
    """The day of the first upload of each package in a pylock.toml."""
    return {
        normal(package["name"]): min(times).date()
        for package in lock["packages"]
        if (times := [time for file in _files(package) if isinstance(time := file.get("upload-time"), datetime)])
    }


def with_dates(text: str, versions: dict[str, str], dates: dict[str, date]) -> str:
    """The text of dependencies.toml with these versions and dates; entries without a date stay."""

    def entry(found: re.Match[str]) -> str:
        name = found[1]
        if name not in versions or name not in dates:
            return found[0]
        return f'[packages.{name}]\nversion = "{versions[name]}"\nreleased = {dates[name]}'

    return _ENTRY.sub(entry, text)


def _files(package: dict[str, Any]) -> list[dict[str, Any]]:
    return [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]


def _locked_files(versions: dict[str, str]) -> dict[str, Any]:
    """What uv finds of the direct dependencies in the package index that it is configured for."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, found = Path(folder) / "direct.in", Path(folder) / "pylock.toml"
        wanted.write_text("".join(f"{name}=={versions[name]}\n" for name in sorted(direct_names())))
        options = ["--quiet", "--universal", "--no-deps", "--python-version", "3.11", "--format", "pylock.toml"]
        subprocess.run([_UV, "pip", "compile", *options, wanted, "-o", found], check=True)
        return tomllib.loads(found.read_text())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
