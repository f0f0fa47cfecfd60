"""What an export of the whole installation leaves out, so that it fits another one."""

from __future__ import annotations

from portico_cli.exporting.document import document_lines
from portico_contracts.apply import Document, OidcApp, Organization, Project
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT, OWN_APPLICATIONS
from portico_contracts.documents.reading import read_document
from portico_contracts.users import Export, Exported, Note


def app(client_id: str) -> OidcApp:
    return OidcApp(id=client_id, name=client_id, client_id=client_id, redirect_uris=("https://first.example/cb",))


def exported(*clients: str, project: str = OWN_APPLICATIONS) -> str:
    apps = tuple(map(app, clients))
    org = Organization(name="Acme", id="acme", projects=(Project(name="P", id=project, oidc_apps=apps),))
    whole = Exported(document=Document(organizations=(org,)), notes=(Note(id=project, text="A note."),))
    answers = {"": Exported(document=Document(), org_ids=("acme",)), "acme": whole}

    def ask(question: Export) -> Exported:
        return answers[question.org_id]

    return "\n".join(document_lines(ask, ()))


def test_console_and_account_page_are_not_exported() -> None:
    """Applied to another installation, their addresses and keys would lock administrators out of its console."""
    text = exported(CONSOLE_CLIENT, ACCOUNT_CLIENT)
    [project] = read_document(text, "-", {}).organizations[0].projects or ()

    assert project == Project(name="P", id=OWN_APPLICATIONS)
    assert "      # A note.\n      # The console and the account page are not exported." in text


def test_other_applications_are_exported() -> None:
    """Also those of the same project, and one of another project whose name looks the same."""
    [own] = read_document(exported(CONSOLE_CLIENT, "shop"), "-", {}).organizations[0].projects or ()
    [other] = read_document(exported(CONSOLE_CLIENT, project="p"), "-", {}).organizations[0].projects or ()

    assert own.oidc_apps == (app("shop"),)
    assert other.oidc_apps == (app(CONSOLE_CLIENT),)
