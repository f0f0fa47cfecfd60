"""docs/generated/upgrade-notes.md: changed settings, errors and metrics since the last release."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from generated_files import ROOT
from portico_runtime.settings.loading import all_sections
from portico_runtime.settings.section import PREFIX
from pydantic import SecretStr

from generated_pages.errors_page import all_error_codes
from generated_pages.markdown import code, page_of, table

RELEASES = ROOT / "docs" / "releases"
_METRIC = re.compile(r"`(portico_[a-z_]+)`")


@dataclass(frozen=True)
class Surface:
    """The settings, errors and metrics of a release.

    Args:
        settings: defaults by name; empty for secrets and settings without a default.
    """

    version: str
    settings: dict[str, str]
    errors: list[str]
    metrics: list[str]

    @classmethod
    def load(cls, file: Path) -> Surface:
        return cls(**json.loads(file.read_text()))

    def save(self, folder: Path = RELEASES) -> Path:
        """Saves the surface for comparison by the next release."""
        file = folder / f"{self.version}.json"
        file.write_text(json.dumps(asdict(self), indent=1) + "\n")
        return file


def surface(version: str) -> Surface:
    """Returns the surface of the present code."""
    settings = {
        f"{PREFIX}{name.upper()}": "" if isinstance(field.default, SecretStr) else str(field.default)
        for section in all_sections()
        for name, field in section.model_fields.items()
    }
    listed = (ROOT / "docs" / "metrics.md").read_text().partition("## Renamed")[0]
    errors = sorted(one.id for one in all_error_codes())
    return Surface(version, dict(sorted(settings.items())), errors, sorted(set(_METRIC.findall(listed))))


def last_release() -> Surface:
    """Returns the newest saved surface."""
    return max(map(Surface.load, RELEASES.glob("*.json")), key=lambda one: tuple(map(int, one.version.split("."))))


def upgrade_notes() -> str:
    return notes_between(last_release(), surface("the next release"))


def notes_between(before: Surface, after: Surface) -> str:
    changed = [
        [code(name), code(before.settings[name]) or "(none)", code(default) or "(none)"]
        for name, default in after.settings.items()
        if name in before.settings and before.settings[name] != default
    ]
    fresh = [[code(name), code(after.settings[name])] for name in _only_in(after.settings, before.settings)]
    removed = _only_in(before.settings, after.settings)
    parts = [
        f"From {before.version} to {after.version}. Generated from the code. [CHANGELOG.md](../../CHANGELOG.md) describes what to do.",
        "## Settings",
        _listed("Removed: a service that finds one of them does not start", removed),
        "Other defaults:\n\n" + table(["Name", "Before", "Now"], changed) if changed else "No changed defaults.",
        "New:\n\n" + table(["Name", "Default"], fresh) if fresh else "No new settings.",
        "## Errors",
        _listed("Removed", _only_in(before.errors, after.errors)),
        _listed("New", _only_in(after.errors, before.errors)),
        "## Metrics",
        _listed("Removed: alerts and dashboards that use them show nothing", _only_in(before.metrics, after.metrics)),
        _listed("New", _only_in(after.metrics, before.metrics)),
    ]
    return page_of("Upgrade notes", *parts)


def _only_in(names: Iterable[str], others: Iterable[str]) -> list[str]:
    return sorted(set(names) - set(others))


def _listed(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(map(code, names)) or 'none'}."
