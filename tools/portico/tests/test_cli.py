"""The messages and exit statuses of the `portico` command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from portico_cli.cli import COMMANDS, main
from portico_contracts.apply import Document, Organization
from portico_contracts.users import APPLY, Applied, Apply, Change
from portico_fakes.fake_service import FakeService
from portico_harness.portico_command import PORTICO
from portico_harness.servers import RunningNats
from portico_oauth.errors import ErrorCode, Kind

NOT_SO = ErrorCode("TEST-901", Kind.ALREADY_EXISTS, "This name is already in use.")


def portico(*arguments: str, typed: str = "", **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, input=typed, env=environment)


def test_invalid_document_is_refused_with_its_place(tmp_path: Path) -> None:
    """An invalid document gives status 1 with file, line and column."""
    file = tmp_path / "acme.yaml"
    file.write_text("organizations:\n  - nam: Acme\n")
    result = portico("apply", str(file), "--data", str(tmp_path))

    assert result.exit_code == 1
    assert f"{file}:2:5: an entry of organizations has no field nam; did you mean name?" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("apply",),
        ("apply", "missing.yaml"),
        ("up", "--port", "x"),
        ("up", "--wait", "0"),
        ("up", "--replicas", "tokens=2"),
        ("nothing",),
    ],
)
def test_wrong_usage_has_status_2(arguments: tuple[str, ...]) -> None:
    assert portico(*arguments).exit_code == 2


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_shortens_no_sentence(name: str) -> None:
    """Each line in a list of commands is a whole sentence."""
    _, _, commands = portico(name, "--help").output.partition("Commands:\n")

    assert all(line.endswith(".") and not line.endswith("..") for line in commands.splitlines())


def test_up_timeout_is_read_from_the_environment() -> None:
    """PORTICO_STACK_WAIT_SECONDS is read and validated like the option."""
    result = portico("up", PORTICO_STACK_WAIT_SECONDS="soon")

    assert result.exit_code == 2
    assert "'soon' is not a valid float" in result.output


def test_apply_needs_a_running_stack_or_an_address(tmp_path: Path) -> None:
    """Without a stack or an address the error names both ways."""
    result = portico("apply", "-", "--data", str(tmp_path), typed="organizations: []\n")

    assert result.exit_code == 2
    assert "PORTICO_BUS_URL" in result.output


def test_status_without_a_stack_is_one_message(tmp_path: Path) -> None:
    """Without a stack `portico status` prints one message and has status 1."""
    result = portico("status", "--data", str(tmp_path))

    assert result.exit_code == 1
    assert result.output == f"No stack is running from {tmp_path}.\n"


def test_unreadable_file_is_one_message(tmp_path: Path) -> None:
    """A directory, or a file of another user, in place of one of the data directory."""
    (tmp_path / "running.json").mkdir()
    result = portico("status", "--data", str(tmp_path))

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {tmp_path / 'running.json'}: Is a directory\n"


def test_file_that_exists_is_named_and_kept(tmp_path: Path) -> None:
    """The message names the file and what to do, and not the number of the error."""
    file = tmp_path / "portico-backup.key"
    file.write_text("mine")
    result = portico("backup", "key", str(file))

    assert result.stderr == f"refused: {file}: The file exists already. Choose another name.\n"
    assert file.read_text() == "mine"


@pytest.mark.slow
@pytest.mark.parametrize("users", [1, 500])
def test_full_disk_is_one_message(tmp_path: Path, users: int) -> None:
    """The message is the same if the output is only written at the end of the command."""
    file = tmp_path / "realm.json"
    people = [{"username": f"u{one}", "email": "a@b", "enabled": True} for one in range(users)]
    file.write_text(json.dumps({"realm": "one", "users": people}))
    with Path("/dev/full").open("w") as full:
        command = [str(PORTICO), "user", "convert", "--from", "keycloak", str(file)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Error: standard output: No space left on device"
    assert "Traceback" not in done.stderr


class Answering(FakeService):
    """The users service on the real bus, as far as apply needs it."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, Apply(document=Document()))
        self.bus.respond(APPLY, self._answer)

    async def _answer(self, question: Apply) -> Applied:
        self.asked.append(question)
        if not question.document.organizations:
            raise NOT_SO.error()
        created = Change(action="created", kind="app", id="web", name="Web", generated_secret="made-now")
        changed = Change(action="updated", kind="human", id="ada", name="ada", fields=("email",))
        return Applied(changes=(created, changed))


@pytest.mark.servers
def test_apply_prints_changes_and_new_secrets_once(nats_server: RunningNats) -> None:
    """Apply prints one line per change and each new secret once, and --check is passed on."""
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}
    users = Answering(nats_server)
    users.start()
    try:
        done = portico("apply", "-", "--check", typed="organizations: [{name: Acme}]\n", **login)
        refused = portico("apply", "-", typed="organizations: []\n", **login)
    finally:
        users.stop()

    assert done.exit_code == 3, done.output
    assert done.output.splitlines() == [
        "created    app               Web  web",
        "           secret (shown only once): made-now",
        "updated    human             ada  ada  (email)",
        "1 to create, 1 to update, 0 to remove, 0 unchanged. Nothing was changed.",
    ]
    wanted = Apply(document=Document(organizations=(Organization(name="Acme"),)), check=True)
    assert replace(users.asked[0], id_seed="") == wanted
    assert refused.exit_code == 1
    assert refused.output == "refused: This name is already in use. (TEST-901)\nNothing was changed.\n"


@pytest.mark.servers
def test_plan_and_apply_use_the_same_id_seed(nats_server: RunningNats) -> None:
    """The seed of ids depends on the document and the operator's secret, so it is unpredictable (IN-09)."""
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}
    users = Answering(nats_server)
    users.start()
    try:
        for options, name in (("--plan",), "Acme"), ((), "Acme"), ((), "Acme 2"):
            portico("apply", "-", *options, typed=f"organizations: [{{name: {name}}}]\n", **login)
    finally:
        users.stop()
    planned, applied, other = [one.id_seed for one in users.asked]

    assert planned == applied != other
    assert len(planned) == 64
    assert nats_server.password("operator") not in planned


@pytest.mark.servers
def test_wrong_password_is_an_error(nats_server: RunningNats) -> None:
    """A wrong password gives an error without a traceback and without the password."""
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": "canary"}
    result = portico("apply", "-", typed="organizations: []\n", **login)

    assert result.exit_code == 1
    assert result.output.startswith("refused: ")
    assert "canary" not in result.output
