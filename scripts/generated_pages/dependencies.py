"""What Portico depends on: the entries of dependencies.toml, with versions and licences from lock and metadata."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import date, timedelta
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from generated_files import ROOT
from image_python import image_version
from portico_runtime.doctor.server_lines import LINES, MONGODB, dotted
from portico_stack.kubernetes.gateway import IMAGE as HAPROXY_IMAGE

DATA: Final = Path(__file__).with_name("dependencies.toml")
LOCK: Final = ROOT / "requirements.lock"
NOTICE: Final = timedelta(days=90)

_NAME: Final = re.compile(r"[\w.-]+")
_LOCKED: Final = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", re.MULTILINE)
# The licences that metadata names in other words than SPDX.
_SPDX: Final = {
    "Apache": "Apache-2.0",
    "Apache License": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "BSD License": "BSD",
}


class Dependency(NamedTuple):
    """A package, or a line of a server.

    Attributes:
        version: what the lock, Compose or the manifests name.
        released: when that version was released; None where its maker publishes no date that could be verified.
        ends: the last day of support; None where none is published.
        limited_until: the last day of the fewer fixes after `ends`.
    """

    name: str
    version: str
    licence: str
    why: str
    instead: str
    released: date | None = None
    ends: date | None = None
    limited_until: date | None = None


def direct_names() -> set[str]:
    """The packages that a pyproject.toml of the workspace names, in normal form, without Portico's own."""
    return {name for name in map(normal, _requirements()) if not name.startswith("portico-")}


def packages(lock: str | None = None, data: dict[str, Any] | None = None) -> list[Dependency]:
    """Every direct dependency, by name.

    Raises:
        LookupError: a dependency has no entry, an entry is of another version than the lock or of no dependency,
            or neither the entry nor the metadata has a licence.
    """
    locked = locked_versions(LOCK.read_text() if lock is None else lock)
    entries = (entries_of_file() if data is None else data)["packages"]
    names = direct_names()
    if problem := next(iter(_problems(names, locked, entries)), None):
        raise LookupError(problem)
    return [_package(name, locked[name], entries[name]) for name in sorted(names)]


def servers(data: dict[str, Any] | None = None) -> list[Dependency]:
    """The servers and systems below, with their versions in Compose, manifests, images and the list of lines.

    Raises:
        LookupError: a date of release is of another version.
    """
    entries = (entries_of_file() if data is None else data)["servers"]
    return [_server(key, entry) for key, entry in entries.items()]


def warnings(dependencies: list[Dependency], today: date) -> list[str]:
    """One line for each that has ended or ends within 90 days; then, if limited fixes outlast that, for these."""
    return [line for one in dependencies if (line := _warning(one, today))]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked_versions(lock: str) -> dict[str, str]:
    return {normal(name): version for name, version in _LOCKED.findall(lock)}


def entries_of_file() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text())


def _requirements() -> Iterator[str]:
    workspace = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["workspace"]["members"]
    files = [ROOT / "pyproject.toml", *(file for one in workspace for file in ROOT.glob(f"{one}/pyproject.toml"))]
    for file in files:
        content = tomllib.loads(file.read_text())
        project = content.get("project", {})
        groups = [*project.get("optional-dependencies", {}).values(), *content.get("dependency-groups", {}).values()]
        for requirement in [*project.get("dependencies", []), *(one for group in groups for one in group)]:
            found = _NAME.match(requirement)
            if found is None:
                raise LookupError(f"{file}: {requirement} names no package")
            yield found[0]


def _problems(names: set[str], locked: dict[str, str], entries: dict[str, Any]) -> Iterator[str]:
    for name in sorted(names - entries.keys()):
        yield f"{DATA.name} has no entry for {name}: add why it is used and what would replace it."
    for name in sorted(entries.keys() - names):
        yield f"{DATA.name} has an entry for {name}, which is no direct dependency: remove it."
    for name in sorted(names & entries.keys()):
        if (typed := entries[name]["version"]) != locked.get(name):
            yield f"{DATA.name} has {name} {typed}, the lock {locked.get(name)}: run `python scripts/dependencies.py dates`."


def _package(name: str, version: str, entry: dict[str, Any]) -> Dependency:
    # A wheel for some machines only is not installed on all, so its entry has the licence.
    licence = entry.get("licence") or _licence_in_metadata(name)
    return _dependency(name, version, licence, entry)


def _licence_in_metadata(name: str) -> str:
    found = metadata.metadata(name)
    # Older metadata names no expression, but a text of any length, or a classifier.
    if "License-Expression" in found:
        return found["License-Expression"]
    classifiers = [one.rpartition(" :: ")[2] for one in found.get_all("Classifier") or [] if one.startswith("License")]
    text = " ".join((found.get_all("License") or [""])[0].strip().partition("\n")[0].split())
    licence = text or next((one for one in classifiers if one != "OSI Approved"), "")
    if not licence:
        raise LookupError(f"The metadata of {name} names no licence: its entry in {DATA.name} needs one.")
    return _SPDX.get(licence, licence)


def _server(key: str, entry: dict[str, Any]) -> Dependency:
    version = _server_versions()[key]
    if "released" in entry and entry.get("version") != version:
        raise LookupError(f"{DATA.name} has a date for {entry['name']} {entry.get('version')}; {version} is used.")
    ends = {f"mongodb-{dotted(line.version)}": line.ends for line in LINES if line.server == MONGODB}
    return _dependency(
        entry["name"], version, entry["licence"], {**entry, **({"ends": ends[key]} if key in ends else {})}
    )


def _server_versions() -> dict[str, str]:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    images = (str(service.get("image", "")).rstrip("}").rpartition("/")[2] for service in compose.values())
    tags = [tuple(one.split(":-")[-1].split(":")) for one in images]
    in_compose = {one[0]: one[1].removesuffix("-alpine") for one in tags if len(one) == 2}
    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    first, beyond = (int(minor) for minor in re.findall(r"3\.(\d+)", python))
    mongo = [dotted(line.version) for line in LINES if line.server == MONGODB]
    node = re.search(r'node-version: "(\d+)"', (ROOT / ".github/actions/prepare/action.yml").read_text())
    base = re.search(r"^ARG BASE=python:\S+-slim-(\w+)", (ROOT / "deploy/Dockerfile").read_text(), re.MULTILINE)
    if node is None or base is None:
        raise LookupError("The workflow names no Node, or deploy/Dockerfile no base image.")
    of_image = image_version()
    return {
        **{f"mongodb-{line}": line for line in mongo},
        f"mongodb-{in_compose['mongo'].rpartition('.')[0]}": in_compose["mongo"],
        **{f"python-3.{minor}": f"3.{minor}" for minor in range(first, beyond)},
        f"python-{of_image}": of_image,
        "valkey": in_compose["valkey"],
        "redis": ", ".join(dotted(line.version) for line in LINES if line.server == "Redis"),
        "nats": in_compose["nats"],
        "haproxy": HAPROXY_IMAGE.partition(":")[2].removesuffix("-alpine"),
        "caddy": in_compose["caddy"],
        f"debian-{base[1]}": base[1],
        "debian-bookworm": "bookworm",
        f"node-{node[1]}": node[1],
    }


def _dependency(name: str, version: str, licence: str, entry: dict[str, Any]) -> Dependency:
    return Dependency(
        name,
        version,
        licence,
        entry["why"],
        entry["instead"],
        entry.get("released"),
        entry.get("ends"),
        entry.get("limited_until"),
    )


def _warning(one: Dependency, today: date) -> str:
    if one.ends is None or today < one.ends - NOTICE:
        return ""
    line = f"{one.name} {one.version} {'ends' if today <= one.ends else 'ended'} on {one.ends}"
    if one.limited_until is not None:
        passed = today > one.limited_until
        line += f", limited fixes {'ended' if passed else 'end'} on {one.limited_until}"
    return f"{line}. What would replace it: {one.instead}"
