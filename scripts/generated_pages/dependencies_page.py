"""docs/generated/dependencies.md: what Portico depends on, until when, and what would replace it."""

from __future__ import annotations

from generated_pages.dependencies import Dependency, packages, servers
from generated_pages.markdown import page_of, table


def dependencies_page() -> str:
    """Servers first, then packages."""
    return page_of(
        "Dependencies",
        "What Portico and its tests depend on directly. Versions are those of `requirements.lock`, Compose, the manifests "
        "and the images; licences are those of the packages. A date is empty where none is published. A published month "
        "or quarter counts to its last day. After the end, limited fixes are critical ones only, or those of Debian LTS. `make check` warns 90 days before an end and after it.",
        "## Servers and systems",
        "[Everything in one container](../guides/one-container.md#licences) states what that image redistributes.",
        _table(servers()),
        "## Python packages",
        _table(packages()),
        "Members of the workspace are built by `uv_build`, which comes with uv.",
        "## Packages of tests in other languages",
        "The tests of clients pin theirs in `package-lock.json`, `go.mod` and `pom.xml` below `tests-e2e`, `bench/node` and "
        "`testing/harness`. [Compatibility](compatibility.md#client-libraries) lists the libraries. No image has them.",
    )


def _table(dependencies: list[Dependency]) -> str:
    head = ["Name", "Version", "Released", "End", "Licence", "Why", "What would replace it"]
    return table(head, [_row(one) for one in dependencies])


def _row(one: Dependency) -> list[str]:
    end = str(one.ends or "")
    if one.limited_until is not None:
        end += f"; limited fixes until {one.limited_until}"
    return [one.name, one.version, str(one.released or ""), end, one.licence, one.why, one.instead]
