from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
import release
from generated_files import ROOT
from generated_pages.upgrade_notes import Surface, last_release, notes_between
from portico_harness.image_environment import environment_of
from portico_stack.kubernetes.names import VERSION
from releasing.bills import write_bill
from releasing.pictures import refuse_old_pictures, write_mark
from releasing.version import ReleaseRefused, notes_of, refuse_changes, released_version

EARLIER = frozenset({"0.1.0", "0.2.0", "0.3.0"})
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0\n\n- old\n"


def repository(folder: Path, changelog: str = CHANGELOG, *, versions: tuple[str, str] = (VERSION, VERSION)) -> Path:
    (folder / "libs" / "one").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{versions[0]}"\n')
    (folder / "libs" / "one" / "pyproject.toml").write_text(f'[project]\nversion = "{versions[1]}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)
    for command in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "all")):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.test", *command], cwd=folder, check=True
        )
    return folder


def test_all_parts_have_one_version(tmp_path: Path) -> None:
    assert released_version(repository(tmp_path / "a")) == VERSION
    with pytest.raises(ReleaseRefused, match=r"another one in libs/one/pyproject.toml"):
        released_version(repository(tmp_path / "b", versions=(VERSION, "9.9.9")))
    with pytest.raises(ReleaseRefused, match="another one in"):
        released_version(repository(tmp_path / "c", versions=("next", "next")))
    (tmp_path / "a" / "docker-compose.yml").write_text("    image: portico/services:0.1.9\n")
    with pytest.raises(ReleaseRefused, match=r"another one in docker-compose.yml:0\.1\.9"):
        released_version(tmp_path / "a")
    assert released_version(ROOT) == VERSION


def test_release_needs_its_changelog_section(tmp_path: Path) -> None:
    """A dry run uses the unreleased section, while a release needs a section with its version."""
    root = repository(tmp_path / "a")
    assert notes_of(root, "0.2.0", dry=True) == "- new"
    with pytest.raises(ReleaseRefused, match="Unreleased"):
        notes_of(root, "0.2.0", dry=False)
    released = repository(tmp_path / "b", CHANGELOG.replace("Unreleased", "0.3.0"))
    assert notes_of(released, "0.3.0", dry=False) == "- new"
    with pytest.raises(ReleaseRefused, match=r'no section "0\.4\.0"'):
        notes_of(released, "0.4.0", dry=True)


def test_a_release_is_described_for_its_readers() -> None:
    """The sections are what is new, what changes and what to do, in this order; releases up to 0.3.0 have other
    headings.
    """
    for section in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]:
        release, _, body = section.partition("\n")
        groups = [line.removeprefix("### ") for line in body.splitlines() if line.startswith("### ")]
        if release in EARLIER:
            assert groups == [one for one in ("Security", "Added", "Changed", "Fixed", "Upgrade") if one in groups]
        else:
            assert groups == ["What is new", "What changes", "What to do"], release
            assert "](docs/releases/" in body, release


@pytest.mark.parametrize(
    "place", ["console/portico_console/templates/a.html", "login-ui/portico_login_ui/static/a.css"]
)
def test_pictures_are_those_of_the_pages(tmp_path: Path, place: str) -> None:
    """A release is refused if a template or a style has changed since the pictures were taken."""
    page = tmp_path / "services" / place
    for folder in (page.parent, tmp_path / "docs" / "pictures"):
        folder.mkdir(parents=True)
    page.write_text("before")
    with pytest.raises(ReleaseRefused, match="make pictures"):
        refuse_old_pictures(tmp_path)
    write_mark(tmp_path)
    refuse_old_pictures(tmp_path)
    page.write_text("after")
    with pytest.raises(ReleaseRefused, match="make pictures"):
        refuse_old_pictures(tmp_path)


def test_uncommitted_changes_are_refused(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert len(refuse_changes(root)) == 40
    (root / "CHANGELOG.md").write_text("other")
    (root / "new").write_text("")
    with pytest.raises(ReleaseRefused, match=r"CHANGELOG.md, new"):
        refuse_changes(root)


BEFORE = Surface(
    "1.0.0", {"PORTICO_A": "1", "PORTICO_B": "2", "PORTICO_C": ""}, ["X-001", "X-002"], ["portico_a", "portico_b"]
)
AFTER = Surface(
    "1.1.0", {"PORTICO_A": "1", "PORTICO_B": "3", "PORTICO_D": "4"}, ["X-001", "X-003"], ["portico_a", "portico_c"]
)


@pytest.mark.parametrize(
    "line",
    [
        "From 1.0.0 to 1.1.0.",
        "Removed: a service that finds one of them does not start: `PORTICO_C`.",
        "| `PORTICO_B` | `2` | `3` |",
        "| `PORTICO_D` | `4` |",
        "Removed: `X-002`.",
        "New: `X-003`.",
        "alerts and dashboards that use them show nothing: `portico_b`.",
        "New: `portico_c`.",
    ],
)
def test_upgrade_notes_name_what_changed(line: str) -> None:
    """Added and removed settings, errors and metrics, and changed defaults, are listed."""
    assert line in notes_between(BEFORE, AFTER)


def test_upgrade_notes_omit_what_did_not_change() -> None:
    text = notes_between(BEFORE, AFTER)
    assert not [name for name in ("PORTICO_A", "X-001", "portico_a`") if name in text]


def test_newest_release_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases are sorted by number, and a saved release can be loaded."""
    monkeypatch.setattr("generated_pages.upgrade_notes.RELEASES", tmp_path)
    for version in ("0.9.0", "0.10.0", "0.2.0"):
        Surface(version, {"PORTICO_A": "1"}, [], []).save(tmp_path)

    assert last_release() == Surface("0.10.0", {"PORTICO_A": "1"}, [], [])


@pytest.mark.slow
@pytest.mark.long
def test_bill_names_the_packages_of_an_environment(tmp_path: Path) -> None:
    """The bill has name, version and licence of each package, and is reproducible."""
    python = environment_of(["./libs/oauth"], tmp_path / "environment")
    texts = [write_bill(python, tmp_path / name).read_text() for name in ("one", "two")]
    bill = json.loads(texts[0])
    found = {one["name"]: one for one in bill["components"]}

    assert texts[0] == texts[1]
    assert bill["bomFormat"] == "CycloneDX"
    assert {"portico-oauth", "cryptography"} <= set(found)
    assert "pytest" not in found
    assert f"cryptography=={found['cryptography']['version']}" in (ROOT / "requirements.lock").read_text()
    assert found["cryptography"]["licenses"]
    assert found["cryptography"]["purl"].startswith("pkg:pypi/cryptography@")


@pytest.mark.servers
@pytest.mark.long
@pytest.mark.xdist_group("go programs")
def test_release_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A release has manifests, chart, notes and checksums, and states if images are missing."""
    monkeypatch.setattr(release, "write_bills", lambda folder, _environments: [])
    monkeypatch.setattr(release, "refuse_changes", lambda _root: "c" * 40)

    assert release.main(["--dry", "--to", str(tmp_path)]) == 0
    folder = tmp_path / f"portico-{VERSION}"
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert files == {
        "NOTES.md",
        "UPGRADE.md",
        "SHA256SUMS",
        f"portico-{VERSION}.tgz",
        *(f"manifests/{overlay}.yaml" for overlay in ("small", "production", "gateway-api", "client-certificates")),
    }
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files - {"SHA256SUMS"}} == sums
    assert "images" in capsys.readouterr().out
