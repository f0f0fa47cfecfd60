"""What is asked where, by whom."""

from __future__ import annotations

import base64
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

import pytest
from portico_contracts.apply import AccessTokenTypeName
from portico_contracts.users import Applied, Change
from portico_journeys.relying_party import Client

from bench.client_authentication import credentials
from bench.foreign_target import add_arguments, foreign_target
from bench.session import wanted_operations
from bench.stack_cast import document, new_cast, with_robots
from bench.target import Cast, Target
from bench.token_kinds import kind_of


def test_operation_of_one_service_goes_to_its_own_address() -> None:
    """Directly, paths of the gateway's map are requested at the service; else everything where it is published."""
    target = Target("t", "http://front", Cast(), services={"token": "http://127.0.0.1:2"})

    assert target.address_of("http://front/oidc/v1/userinfo", direct=True) == "http://127.0.0.1:2"
    assert target.address_of("http://front/oauth/v2/keys", direct=True) == "http://front"
    assert target.address_of("https://other.example.test/certs", direct=True) == "https://other.example.test"
    assert target.address_of("http://front/oidc/v1/userinfo") == "http://front"


def test_words_without_operation_are_refused() -> None:
    """A word that names nothing is a mistake; it never means everything."""
    with pytest.raises(ArgumentTypeError):
        wanted_operations("userinfo,nonsense")

    assert [one.name for one in wanted_operations("introspect")] == ["introspect opaque", "introspect JWT"]
    assert len(wanted_operations("")) == 15


def test_other_provider_is_described_by_words(tmp_path: Path) -> None:
    """Secrets may come from files, so that they do not appear in the process list."""
    secret = tmp_path / "secret"
    secret.write_text("s3cret\n")
    parser = ArgumentParser()
    add_arguments(parser)
    words = parser.parse_args([
        "--issuer", "https://op.example.test/", "--client-id", "c", "--client-secret", f"@{secret}",
        "--cookie", "a=b", "--pid", "op=12", "--pid", "op=13",
    ])  # fmt: skip

    target = foreign_target(words)

    assert (target.name, target.issuer) == ("op.example.test", "https://op.example.test")
    assert target.cast.clients[0].secret == "s3cret"
    assert target.cast.cookies == ("a=b",)
    assert target.pids == {"op": [12, 13]}


@pytest.mark.parametrize("text", ["12", "op=", "op=x", "=12"])
def test_process_that_is_not_name_and_number_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A process is given as NAME=PID."""
    parser = ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--pid", text])

    assert "NAME=PID" in capsys.readouterr().err


def test_client_shows_itself_as_it_is_registered() -> None:
    """Basic credentials are form-encoded first (RFC 6749 §2.3.1); post and none go into the form."""
    basic = Client("a:b", "", "100 %")
    headers, fields = credentials(basic)

    assert base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"a%3Ab:100%20%25"
    assert fields == {}
    assert credentials(Client("c", "", "s", "client_secret_post"))[1] == {"client_id": "c", "client_secret": "s"}
    assert credentials(Client("c", "", "", "none"))[1] == {"client_id": "c"}


def test_token_kind_is_opaque_or_its_algorithm() -> None:
    """The header of a JWT identifies it; three parts that are no JWT are opaque."""
    head = base64.urlsafe_b64encode(b'{"alg":"ES256"}').rstrip(b"=").decode()

    assert kind_of(f"{head}.e30.c2ln") == "ES256"
    assert kind_of("a.b.c") == "opaque"
    assert kind_of("3fabc") == "opaque"


def test_only_service_users_with_a_secret_become_robots() -> None:
    """Without a secret a program cannot request tokens, and the operation is not served."""
    cast = new_cast()
    changes = (
        Change(action="created", kind="service_user", id="bench-robot-opaque", name="opaque", generated_secret="s"),
        Change(action="created", kind="service_user", id="bench-robot-jwt", name="jwt"),
        Change(action="created", kind="app", id="bench-jwt", name="bench-jwt", generated_secret="t"),
    )

    found = with_robots(cast, Applied(changes=changes))

    assert [robot.client_id for robot in found.robots] == ["bench-robot-opaque"]
    assert found.clients == cast.clients


def test_document_has_an_application_for_each_kind_of_token() -> None:
    """Introspection is measured with opaque access tokens and with JWTs, so both are issued."""
    organization = document(new_cast()).organizations[0]
    [project] = organization.projects or ()

    assert [(app.client_id, app.access_token_type) for app in project.oidc_apps or ()] == [
        ("bench-opaque", AccessTokenTypeName.BEARER),
        ("bench-jwt", AccessTokenTypeName.JWT),
    ]
    assert len(organization.service_users or ()) == 3
