"""What an export leaves out, so that it fits another installation."""

from __future__ import annotations

from typing import Any

import msgspec
from portico_cli.exporting.document import document_lines
from portico_contracts.apply import (
    Document,
    EndUser,
    Group,
    OidcApp,
    Organization,
    Project,
    Role,
    RoleGrant,
    ServiceUser,
)
from portico_contracts.apply.parts import Member
from portico_contracts.apply.projects import ProjectGrant
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


def person(name: str, **members: Any) -> EndUser:
    whole = {"id": name, "profile": {"firstName": "A", "lastName": "B"}, "email": {"email": f"{name}@a.example"}}
    return msgspec.convert(whole | members, EndUser)


def exported_while_changing(*parts: Organization, now: Organization) -> Organization:
    """Each part of an organization as it was when it was read, and its settings after the last one."""
    left = list(enumerate(parts, start=1))

    def ask(question: Export) -> Exported:
        if not question.org_id:
            return Exported(document=Document(), org_ids=("acme",))
        if question.parts:
            return Exported(document=Document(organizations=(now,)))
        number, org = left.pop(0)
        return Exported(document=Document(organizations=(org,)), after=str(number) if left else "")

    return read_document("\n".join(document_lines(ask, ())), "-", {}).organizations[0]


def organization(**members: Any) -> Organization:
    return Organization(name="Acme", id="acme", **members)


def test_what_was_added_meanwhile_is_left_out_with_its_users() -> None:
    """Groups, projects, roles and providers are read before users: a document names none that it does not have."""
    shop = Project(name="Shop", id="shop", roles=(Role(role_key="reader"),))
    before = organization(projects=(shop,), groups=(Group(name="Staff", id="staff"),), humans=(person("ada"),))
    foreign = {"project": "theirs", "roleKeys": ["x"], "projectGrant": "g"}
    new = {"project": "new", "roleKeys": ["x"]}
    grants = [{"project": "shop", "roleKeys": ["reader", "writer"]}, new, foreign]
    link = {"idp": "new", "userId": "1", "userName": "1"}
    bob = person("bob", groups=["staff", "new"], grants=grants, idpLinks=[link])
    robot = ServiceUser(id="r", username="r", name="R", groups=("new",), grants=(RoleGrant("new", ("x",)),))
    org = exported_while_changing(before, organization(humans=(bob,), service_users=(robot,)), now=before)

    assert org.humans == (
        person("ada"),
        person("bob", groups=["staff"], grants=[{"project": "shop", "roleKeys": ["reader"]}, foreign]),
    )
    assert org.service_users == (ServiceUser(id="r", username="r", name="R"),)


def test_user_who_was_deleted_meanwhile_is_no_member() -> None:
    """A document with roles of a user that it does not have cannot be applied to an empty installation."""

    def with_members(*names: str) -> Organization:
        members = tuple(Member(user=name, roles=("PROJECT_OWNER",)) for name in names)
        grant = ProjectGrant(id="g", organization="other", role_keys=(), members=members)
        shop = Project(name="Shop", id="shop", members=members, grants=(grant,))
        return organization(projects=(shop,), members=members, humans=(person("ada"),))

    org = exported_while_changing(
        with_members("ada", "eve"), organization(humans=(person("bob"),)), now=with_members("ada", "new")
    )

    assert org == msgspec.structs.replace(with_members("ada"), humans=(person("ada"), person("bob")))
