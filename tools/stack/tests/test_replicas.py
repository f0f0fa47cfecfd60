"""The number of processes of each service in a stack."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack.assembly.layout import StackOptions, lay_out
from portico_stack.assembly.replicas import Replicas, ReplicasRefused
from portico_stack.installation.installation import load_or_create


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("1", (1, 1, 1)),
        ("2", (2, 2, 2)),
        ("token=2", (1, 2, 1)),
        ("token=2 users=3", (1, 2, 3)),
        (" authz=4,token=2 ,users=9 ", (4, 2, 9)),
    ],
)
def test_number_for_all_or_for_each(text: str, counts: tuple[int, ...]) -> None:
    """One number applies to all services, or each service is named; unnamed ones have one process."""
    replicas = Replicas.read(text)

    assert tuple(replicas.of(service) for service in ("authz", "token", "users")) == counts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a number"),
        ("0", "'0' is not a number"),
        ("10", "'10' is not a number"),
        ("token=", "'' is not a number"),
        ("token=two", "'two' is not a number"),
        ("token=-1", "'-1' is not a number"),
        ("token=²", "'²' is not a number"),
        ("tokens=2", "'tokens' is not a service"),
        ("token=2 2", "'2' is not a service"),
        ("token=2 token=3", "token is listed twice"),
    ],
)
def test_invalid_number_is_refused(text: str, reason: str) -> None:
    """The error message names the invalid word."""
    with pytest.raises(ReplicasRefused, match=reason):
        Replicas.read(text)


def test_replicas_have_separate_ports_known_to_the_gateway(tmp_path: Path) -> None:
    """Each replica has separate ports, and the gateway balances requests over all of a service."""
    options = StackOptions(tmp_path, port=0, replicas=Replicas.read("token=2 users=2"))
    layout = lay_out(options, load_or_create(tmp_path))
    names = [replica.name for replica in layout.replicas]
    ports = [port for replica in layout.replicas for port in (replica.port, replica.internal_port, replica.grpc_port)]
    given = [port for port in ports if port]

    assert names == ["authz", "token-1", "token-2", "keys", "users-1", "users-2", "login-ui", "console"]
    assert len(set(given)) == len(given) == 18
    assert len(layout.gateway.upstreams["token"]) == len(layout.gateway.grpc["users"]) == 2
    assert {*layout.gateway.upstreams["token"]} == {
        replica.address for replica in layout.replicas if replica.service == "token"
    }
