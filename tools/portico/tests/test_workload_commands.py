from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.apply import (
    ApiApp,
    ConditionMatchName,
    Document,
    OidcApp,
    Organization,
    Project,
    ServiceUser,
    TrustedWorkload,
    UserState,
    WorkloadCondition,
)
from portico_contracts.users import (
    APPLY,
    EXPORT,
    GET_USER,
    Applied,
    Apply,
    Export,
    Exported,
    Failure,
    GetUser,
    User,
    UserFound,
)
from portico_fakes.fake_service import FakeService
from portico_harness.rows import row
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind, ServiceError

pytestmark = pytest.mark.servers

OLD: Final = TrustedWorkload("old", "https://ci.example.test", (WorkloadCondition("sub", "job-1"),), key_set="{}")
SHOP: Final = Project(
    name="Shop",
    id="shop",
    oidc_apps=(OidcApp(name="web", client_id="web-1", redirect_uris=("https://shop.example/cb",)),),
    api_apps=(ApiApp(name="prices", client_id="prices-1", trusted_workloads=(OLD,)),),
)
FIRST: Final = Organization(name="Acme", id="acme", projects=(SHOP,))
ROBOT: Final = ServiceUser("orders", "Orders", id="robot-1", description="Sends orders", trusted_workloads=(OLD,))
SECOND: Final = Organization(name="Acme", id="acme", service_users=(ROBOT, ServiceUser("web", "Web", id="robot-2")))
KUBERNETES: Final = "https://kubernetes.default.svc.cluster.local"
GITHUB: Final = "https://token.actions.githubusercontent.com"


class Users(FakeService):
    """Exports two parts: applications, then service users."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, Apply(document=Document()))
        self.bus.respond(APPLY, self._apply)
        self.bus.respond(EXPORT, self._export)
        self.bus.respond(GET_USER, self._get_user)
        self.exported: list[Export] = []
        self.later: list[Organization] = []
        self.failure: Failure | None = None
        self.overtaken: list[str] = []
        self.sequence = 7

    async def _apply(self, question: Apply) -> Applied:
        self.asked.append(question)
        if self.stored and self.stored[-1].conditions[0].value == "repo:acme:":
            place = "organizations[0].serviceUsers[0].trustedWorkloads[1].conditions[0].value"
            raise ServiceError(
                Kind.INVALID_REQUEST, "USER-236", f"{place}: This subject holds for workloads of others."
            )
        if id := self.overtaken.pop() if self.overtaken else "":
            if id == "USER-728":
                raise ServiceError(Kind.FAILED_PRECONDITION, id, "organizations[0].serviceUsers[0]: Changed.")
            return Applied(changes=(), failure=Failure(kind="x", id=id, text="Changed."))
        return Applied(changes=(), failure=self.failure)

    async def _export(self, question: Export) -> Exported:
        self.exported.append(question)
        if not question.org_id:
            return Exported(document=Document(), org_ids=("acme",))
        if question.after:
            self.sequence += 1
            shown = Document(organizations=(self.later.pop() if self.later else SECOND,))
            return Exported(document=shown, sequences={"robot-1": self.sequence})
        return Exported(document=Document(organizations=(FIRST,)), after="q")

    async def _get_user(self, question: GetUser) -> UserFound:
        if question.user_id != "robot-1":
            return UserFound()
        return UserFound(user=User("robot-1", "acme", "orders", "orders@acme", human=False))

    @property
    def stored(self) -> tuple[TrustedWorkload, ...]:
        """What the last document declares for its only client."""
        [home] = self.asked[-1].document.organizations
        clients: list[Any] = [*(home.service_users or ())]
        for project in home.projects or ():
            clients += [*(project.oidc_apps or ()), *(project.api_apps or ())]
        [client] = clients
        stored: tuple[TrustedWorkload, ...] = client.trusted_workloads
        return stored


@pytest.fixture
def users(nats_server: RunningNats) -> Iterator[Users]:
    one = Users(nats_server)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def portico(users: Users, nats_server: RunningNats) -> Any:
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, [str(one) for one in arguments], env=login)

    return run


TEMPLATES: Final[list[tuple[tuple[str, ...], str, list[tuple[str, str, bool]], str]]] = [
    (("shop/orders", "--template", "kubernetes"), KUBERNETES, [("sub", "system:serviceaccount:shop:orders", False)], "--keys"),
    (("shop", "--template", "kubernetes"), KUBERNETES, [("sub", "system:serviceaccount:shop:", True)], "Every service account of the namespace shop"),
    (("acme/shop", "--template", "github", "--branch", "main"), GITHUB, [("sub", "repo:acme/shop:ref:refs/heads/main", False)], ""),
    (("acme/shop", "--template", "github", "--environment", "live"), GITHUB, [("sub", "repo:acme/shop:environment:live", False)], ""),
    (("acme/shop", "--template", "github"), GITHUB, [("sub", "repo:acme/shop:", True)], "Pull requests get in"),
    (("a/b/shop", "--template", "gitlab", "--branch", "main"), "https://gitlab.com", [("sub", "project_path:a/b/shop:ref_type:branch:ref:main", False), ("ref_protected", "true", False)], ""),
    (("a/shop", "--template", "gitlab", "--environment", "live"), "https://gitlab.com", [("sub", "project_path:a/shop:", True), ("environment", "live", False)], ""),
    (("a/shop", "--template", "gitlab"), "https://gitlab.com", [("sub", "project_path:a/shop:", True)], "Every branch of the project"),
    (("job-1", "--issuer", "https://x.example", "--condition", "environment=a=b"), "https://x.example", [("sub", "job-1", False), ("environment", "a=b", False)], "The issuer has to give the subject"),
    (("job:", "--issuer", "https://x.example"), "https://x.example", [("sub", "job:", True)], "Every subject that begins with job:"),
]  # fmt: skip


def test_templates_name_the_workload_and_warn_of_what_is_wide(portico: Any, users: Users) -> None:
    """Each adds to those that are there, with the conditions of its issuer, and warns where others get in too."""
    for arguments, issuer, conditions, warning in TEMPLATES:
        with row(*arguments):
            done = portico("workload", "add", "orders", *arguments)

            assert done.exit_code == 0, done.output
            old, added = users.stored
            assert (old, added.name, added.issuer) == (OLD, arguments[0], issuer)
            found = [(one.claim, one.value, one.match is ConditionMatchName.PREFIX) for one in added.conditions]
            assert found == conditions
            assert ("Warning: " in done.output, warning in done.output) == (bool(warning), True)
            assert "Added.\n" in done.output


def test_service_users_are_found_by_id_and_both_kinds_by_name(portico: Any, users: Users) -> None:
    """An id is found without a walk through all users; the other settings of the client are sent as they are."""
    by_id = portico("workload", "add", "robot-1", "job-1", "--issuer", "https://x.example", "--audience", "portico")
    walked = [one for one in users.exported if one.after == "robot-"]
    [home] = users.asked[-1].document.organizations
    of_api = portico("workload", "remove", "prices", "old")
    [shop] = users.asked[-1].document.organizations[0].projects

    assert [by_id.exit_code, of_api.exit_code] == [0, 0], by_id.output + of_api.output
    assert len(walked) == 1
    assert (home.projects, home.service_users[0].description) == (None, "Sends orders")
    assert home.service_users[0].trusted_workloads[1].audience == "portico"
    assert (shop.oidc_apps, shop.api_apps[0].client_id, shop.api_apps[0].trusted_workloads) == (None, "prices-1", ())


def test_nothing_that_may_have_changed_meanwhile_is_sent(portico: Any, users: Users) -> None:
    """Otherwise the command would undo what an administrator has just done; what a document must have is not applied."""
    full = msgspec.structs.replace(
        ROBOT, roles=("ORG_OWNER",), groups=("g",), grants=(), keys=(), state=UserState.ACTIVE
    )
    users.later = [msgspec.structs.replace(SECOND, service_users=(full,))] * 2
    done = portico("workload", "add", "orders", "job-1", "--issuer", "https://x.example")
    [home] = users.asked[-1].document.organizations
    [sent] = home.service_users

    assert done.exit_code == 0, done.output
    assert users.asked[-1].keeps_settings
    assert (sent.roles, sent.groups, sent.grants, sent.keys, sent.state) == (None,) * 5
    assert (sent.id, sent.description) == ("robot-1", "Sends orders")


def test_client_that_was_found_by_its_name_is_read_again(portico: Any, users: Users) -> None:
    """A trusted workload that was removed during the walk through all organizations does not come back."""
    removed = msgspec.structs.replace(ROBOT, trusted_workloads=None)
    users.later = [msgspec.structs.replace(SECOND, service_users=(removed,)), SECOND]
    done = portico("workload", "add", "orders", "job-1", "--issuer", "https://x.example")

    assert done.exit_code == 0, done.output
    assert [one.name for one in users.stored] == ["job-1"]


def test_change_of_another_command_is_kept(portico: Any, users: Users) -> None:
    """Both read the client before either stored its change; the second one reads it again, in whatever way it was refused."""
    theirs = msgspec.structs.replace(ROBOT, trusted_workloads=(OLD, msgspec.structs.replace(OLD, name="theirs")))
    for overtaken in ("USER-728", "USER-012"):
        with row(overtaken):
            users.overtaken = [overtaken]
            users.later = [msgspec.structs.replace(SECOND, service_users=(theirs,)), SECOND]
            done = portico("workload", "add", "robot-1", "job-1", "--issuer", "https://x.example")
            first, second = users.asked[-2:]

            assert done.exit_code == 0, done.output
            assert [one.name for one in users.stored] == ["old", "theirs", "job-1"]
            assert second.sequences["robot-1"] == first.sequences["robot-1"] + 1


def test_change_that_is_always_overtaken_is_refused(portico: Any, users: Users) -> None:
    users.overtaken = ["USER-728"] * 100
    done = portico("workload", "remove", "robot-1", "old")

    assert (done.exit_code, len(users.asked)) == (1, 10)
    assert "Changed." in done.output


def test_dry_run_stores_nothing(portico: Any, users: Users, tmp_path: Path) -> None:
    """The document is only checked; keys of a file are part of it."""
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": []}))
    done = portico(
        "app", "workload", "add", "web-1", "shop/orders", "--template", "kubernetes", "--keys", keys, "--dry-run"
    )

    assert done.exit_code == 0, done.output
    assert "Nothing was changed." in done.output
    assert (users.asked[-1].check, users.stored[0].key_set) == (True, keys.read_text())


def test_list_shows_clients_with_workloads(portico: Any) -> None:
    """Of both kinds, with issuer, audience, conditions, and whether keys were pasted."""
    everybody, of_one = portico("workload", "list"), portico("workload", "list", "web-1")

    assert everybody.output.splitlines() == [
        line
        for client in ("prices  prices-1", "Orders  robot-1")
        for line in (
            client,
            "  old",
            "    issuer     https://ci.example.test",
            "    audience   the issuer of this installation",
            "    condition  sub is job-1",
            "    keys       pasted: paste them again when the issuer changes them",
        )
    ]
    assert of_one.output.splitlines() == ["web  web-1", "No trusted workloads."]


def test_refusals_change_nothing(portico: Any, users: Users) -> None:
    """A subject that is too wide, a name that is taken or unknown, and a client that is unknown or named twice."""
    wide = portico("workload", "add", "orders", "acme", "--template", "github")
    users.failure = Failure(id="USER-232", text="trustedWorkloads[1].issuer: This text cannot be the issuer.", kind="x")
    failed = portico("workload", "add", "orders", "job-1", "--issuer", "https://x.example")
    asked = len(users.asked)
    others = [
        portico("workload", *arguments)
        for arguments in (
            ("add", "orders", "job-1", "--name", "old", "--issuer", "https://x.example"),
            ("remove", "orders", "new"),
            ("list", "none"),
            ("list", "web"),
            ("add", "orders", "job-1"),
            ("add", "orders", "job-1", "--template", "kubernetes", "--branch", "main"),
            ("add", "orders", "job-1", "--issuer", "https://x.example", "--condition", "ref"),
        )
    ]

    assert [one.exit_code for one in (wide, failed, *others)] == [1, 1, 1, 1, 1, 1, 2, 2, 2]
    assert (
        "refused: trustedWorkloads[1].conditions[0].value: This subject holds for workloads of others." in wide.output
    )
    assert failed.output == "refused: trustedWorkloads[1].issuer: This text cannot be the issuer. (USER-232)\n"
    assert "already has a trusted workload old" in others[0].output
    assert "has no trusted workload new. It has: old." in others[1].output
    assert "No application or service user none found." in others[2].output
    assert "Use an id: web-1 (Acme), robot-2 (Acme)." in others[3].output
    assert len(users.asked) == asked
