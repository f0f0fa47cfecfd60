"""Changes of projects, as entries for the journal."""

from __future__ import annotations

from portico_users.domain.names import NAME_REFUSED, is_name
from portico_users.domain.problems import Problem, Problems, refuse_first
from portico_users.journal.entry import Entry
from portico_users.projects.project import Project
from portico_users.projects.store import PROJECTS


def problems_of(project: Project) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_name(project.name):
        yield Problem("name", NAME_REFUSED)


def put_project(before: Project | None, after: Project, *, path: str = "") -> Entry[Project]:
    """Creates a project, or changes it.

    Raises:
        Refusal: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after), path)
    return Entry(PROJECTS, before, after)
