"""Builds a release below ``dist``; with ``--dry`` everything but pushing.

python scripts/release.py [--dry] [--repository registry.example.org/portico]
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from generated_files import ROOT
from generated_pages.upgrade_notes import last_release, notes_between, surface
from portico_harness.built_programs import helm, kustomized_text
from portico_stack.kubernetes.overlays import OVERLAYS
from releasing import images
from releasing.bills import write_bills
from releasing.pictures import refuse_old_pictures
from releasing.version import ReleaseRefused, notes_of, refuse_changes, released_version
from translations.catalogues import missing, report

SUMS: Final = "SHA256SUMS"


def main(arguments: list[str]) -> int:
    """Returns 1 if the release is refused."""
    parser = argparse.ArgumentParser(prog="release")
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--repository", default="portico")
    parser.add_argument("--to", type=Path, default=ROOT / "dist")
    chosen = parser.parse_args(arguments)
    try:
        version = released_version(ROOT)
        notes = notes_of(ROOT, version, dry=chosen.dry)
        commit = refuse_changes(ROOT)
        untranslated = "\n".join(report(missing()))
        if untranslated and not chosen.dry:
            raise ReleaseRefused(untranslated)
        if not chosen.dry:
            refuse_old_pictures(ROOT)
        if not images.can_build() and not chosen.dry:
            raise ReleaseRefused("the images need Docker with buildx")
    except ReleaseRefused as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    folder = chosen.to / f"portico-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    write_release(folder, version, commit, notes)
    if untranslated:
        print(untranslated)
    if images.can_build():
        images.build(ROOT, version, chosen.repository, push=not chosen.dry)
        print("images    built for both architectures" + ("" if chosen.dry else " and pushed"))
    else:
        print("images    NOT built: no Docker with buildx answers")
    if not chosen.dry:
        surface(version).save()
        print(f"next      commit docs/releases/{version}.json, and tag {commit[:12]} as v{version}")
    return 0


def write_release(folder: Path, version: str, commit: str, notes: str) -> None:
    """Writes everything but images: notes, manifests, chart, bill of materials and checksums."""
    (folder / "manifests").mkdir(parents=True)
    upgrade = notes_between(last_release(), surface(version))
    (folder / "NOTES.md").write_text(f"# Portico {version}\n\nCommit {commit}.\n\n{notes}\n")
    (folder / "UPGRADE.md").write_text(upgrade)
    for overlay in OVERLAYS:
        (folder / "manifests" / f"{overlay}.yaml").write_text(kustomized_text(overlay))
    print(f"manifests {', '.join(OVERLAYS)}")
    helm("package", ROOT / "deploy" / "helm" / "portico", "--destination", folder)
    print(f"chart     portico-{version}.tgz")
    with tempfile.TemporaryDirectory() as environments:
        bills = write_bills(folder / "sbom", Path(environments))
    print(f"sbom      {', '.join(bill.name for bill in bills)}")
    (folder / SUMS).write_text(_sums(folder))
    print(f"release   {folder}")


def _sums(folder: Path) -> str:
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != SUMS)
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder)}\n" for file in files)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        print(f"failed: {error}\n{(error.stderr or b'')[-2000:]!r}", file=sys.stderr)
        sys.exit(1)
