from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from portico_contracts.documents.reading import DocumentError, read_document
from portico_contracts.topology import TOPOLOGY
from portico_runtime.doctor.finding import Finding
from portico_runtime.settings.loading import unknown_names
from portico_stack.running.service_commands import find_service_command


def check_settings(data: Path, env_files: Iterable[Path]) -> list[Finding]:
    """Finds settings that this release does not know: no service starts with one.

    Reads the environment of the command, the settings of the last start in the data directory, and env files.
    """
    given: dict[str, Iterable[str]] = {"the environment": os.environ}
    for service in TOPOLOGY:
        if command := find_service_command(data, service):
            given[f"the last start of {service}"] = command.settings
    for file in env_files:
        given[str(file)] = _names_in(file)
    findings = [
        Finding("settings", "wrong", f"{', '.join(unknown)} in {place}: not a setting of this release", _FIX, _WHY)
        for place, names in given.items()
        if (unknown := unknown_names(names))
    ]
    return findings or [Finding("settings", "ok", f"known to this release: {', '.join(given)}")]


_FIX = "Remove or rename it: docs/generated/upgrade-notes.md lists removed settings."
_WHY = "No service starts with an unknown setting."


def _names_in(file: Path) -> list[str]:
    """Returns the names in a file of lines ``NAME=value``, as Docker's --env-file."""
    lines = (line.strip() for line in file.read_text("utf-8-sig", "replace").splitlines())
    return [line.partition("=")[0].removeprefix("export ").strip() for line in lines if line and line[0] != "#"]


def check_documents(files: Iterable[Path], environment: Mapping[str, str]) -> list[Finding]:
    """Reads documents of `portico apply` by the rules of this release."""
    findings = []
    for file in files:
        try:
            read_document(file.read_text("utf-8"), str(file), environment)
        except (DocumentError, UnicodeDecodeError) as error:
            fix = "Correct the document: portico apply of this release would refuse it."
            findings.append(Finding("document", "wrong", f"{file}: {error}", fix))
        else:
            findings.append(Finding("document", "ok", f"{file} can be read"))
    return findings
