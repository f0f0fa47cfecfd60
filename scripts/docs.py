"""Builds the documentation site into a folder with the name of the version; a broken link or anchor fails.

python scripts/docs.py [--to .portico/site] [--version 0.4.0]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import yaml
from documentation.links import MissingTarget
from documentation.staging import stage
from documentation.versions import write_versions
from generated_files import ROOT


def main(arguments: list[str]) -> int:
    """The exit status: 1 for a link without a target."""
    parser = argparse.ArgumentParser(prog="docs")
    parser.add_argument("--to", type=Path, default=ROOT / ".portico" / "site")
    parser.add_argument("--version", default=tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
    chosen = parser.parse_args(arguments)
    site: Path = chosen.to.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        try:
            pages = stage(Path(temporary) / "pages")
        except MissingTarget as error:
            print(error, file=sys.stderr)
            return 1
        status = _build(Path(temporary), {**pages, "site_dir": str(site / chosen.version)})
    if status == 0:
        write_versions(site)
        print(f"{site}/index.html")
    return status


def _build(folder: Path, pages: dict[str, object]) -> int:
    config = folder / "mkdocs.yml"
    config.write_text(yaml.safe_dump({"INHERIT": str(ROOT / "mkdocs.yml"), **pages}))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(config)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    print("\n".join(line for line in done.stderr.splitlines() if not line.startswith("INFO")), file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
