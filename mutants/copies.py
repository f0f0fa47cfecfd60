from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from mutants.mutant import ROOT

_PACKAGES = ("libs/*", "services/*", "tools/*", "apps/*", "testing/*", "tests-e2e/scenarios")


def copy_tree(target: Path) -> Path:
    """Copies every tracked file from the working tree; returns the root of the copy."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


def environment_of(tree: Path) -> dict[str, str]:
    """Returns environment variables under which Python imports the packages of this tree."""
    members = [str(path) for pattern in _PACKAGES for path in sorted(tree.glob(pattern)) if path.is_dir()]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(members), "PYTHONDONTWRITEBYTECODE": "1"}
