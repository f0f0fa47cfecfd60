from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yaml
from generated_files import ROOT

GITHUB: Final = ROOT / ".github"
WORKFLOWS: Final = GITHUB / "workflows"
ACTIONS: Final = (*sorted(WORKFLOWS.glob("*.yml")), *sorted(GITHUB.glob("actions/*/action.yml")))
MANIFESTS: Final = {"uv": "pyproject.toml", "npm": "package-lock.json", "gomod": "go.mod", "github-actions": ""}

_USES = re.compile(r"^\s*(?:- )?uses: (.*)$", re.MULTILINE)
_PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+\Z")
_MAKE = re.compile(r"\bmake ([a-z-]+)")


def load(path: Path) -> dict[Any, Any]:
    loaded = yaml.safe_load(path.read_text())
    assert isinstance(loaded, dict), path
    return loaded


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    jobs = workflow.get("jobs") or {"composite": workflow["runs"]}
    return [step for job in jobs.values() for step in job.get("steps", [])]


def test_action_is_pinned_by_its_commit() -> None:
    """An action is named by a commit hash with its version in a comment, or belongs to this repository."""
    used = [(path.name, text) for path in ACTIONS for text in _USES.findall(path.read_text())]
    wrong = [
        (name, text)
        for name, text in used
        if not (_PINNED.match(text) or (text.startswith("./.github/") and (ROOT / text).exists()))
    ]

    assert wrong == []
    assert {name for name, _ in used} == {path.name for path in ACTIONS}


def test_workflow_may_only_read_the_repository() -> None:
    workflows = {path.name: load(path) for path in WORKFLOWS.iterdir()}

    assert set(workflows) == {"test.yml", "nightly.yml", "release.yml"}
    assert {name for name, one in workflows.items() if one.get("permissions") != {"contents": "read"}} == set()
    assert [job for one in workflows.values() for job in one["jobs"].values() if "permissions" in job] == []


def test_commands_of_workflows_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = "\n".join(step.get("run", "") for path in ACTIONS for step in steps(load(path)))
    scripts = re.findall(r"scripts/[a-z_]+\.sh", commands)

    assert set(_MAKE.findall(commands)) == {"install", "test", "test-all", "release"}
    assert set(_MAKE.findall(commands)) - targets == set()
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_tag_is_released_after_every_test() -> None:
    """The release of a tag waits for `make test-all` and pushes no image."""
    release = load(WORKFLOWS / "release.yml")["jobs"]

    assert release["test-all"]["uses"] == "./.github/workflows/nightly.yml"
    assert release["release"]["needs"] == "test-all"
    assert "make release DRY=1" in [step.get("run") for step in release["release"]["steps"]]


def test_dependabot_directories_have_their_files() -> None:
    wrong = []
    for update in load(GITHUB / "dependabot.yml")["updates"]:
        for directory in update.get("directories", [update.get("directory")]):
            path = ROOT / directory.strip("/") / MANIFESTS[update["package-ecosystem"]]
            if not path.exists():
                wrong.append(str(path))

    assert wrong == []


def test_issue_forms_have_required_members() -> None:
    for name in ("bug.yml", "feature.yml"):
        form = load(GITHUB / "ISSUE_TEMPLATE" / name)
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert form["name"]
        assert form["description"]
        assert all(field["id"] and field["attributes"]["label"] for field in fields)


def test_hooks_need_no_network() -> None:
    """Every pre-commit hook runs a program from the environment of `make install`."""
    repositories = load(ROOT / ".pre-commit-config.yaml")["repos"]
    hooks = [hook for repository in repositories for hook in repository["hooks"]]

    assert {repository["repo"] for repository in repositories} == {"local"}
    assert {hook["language"] for hook in hooks} == {"system"}
    assert [hook["id"] for hook in hooks if not hook["entry"].startswith(".venv/bin/")] == []
