"""Any other OpenID provider as a target: what the command line states about it."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

from portico_journeys.relying_party import Client

from bench.target import Cast, Person, Target


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words that describe a provider."""
    group = parser.add_argument_group("another OpenID provider (without --issuer a stack of Portico is started)")
    group.add_argument("--issuer", help="its issuer, where the discovery document is")
    group.add_argument("--client-id", help="a client with the code flow, and introspection where it may")
    group.add_argument("--client-secret", default="", type=_secret, help="@FILE reads it from a file")
    group.add_argument("--auth-method", default="client_secret_basic", help="how the clients authenticate")
    group.add_argument("--redirect-uri", default="http://localhost:1/callback", help="registered for the client")
    group.add_argument("--service-id", help="a client with client_credentials")
    group.add_argument("--service-secret", default="", type=_secret, help="@FILE reads it from a file")
    group.add_argument(
        "--cookie", action="append", default=[], type=_secret, help="Cookie header of a browser that is signed in"
    )
    group.add_argument("--login-name", help="somebody who signs in by pages with the element ids of Portico")
    group.add_argument("--password", default="", type=_secret, help="@FILE reads it from a file")
    group.add_argument(
        "--pid", action="append", default=[], type=_pid, metavar="NAME=PID", help="a process whose CPU time counts"
    )


def foreign_target(words: argparse.Namespace) -> Target:
    """The target the words describe."""
    pids = defaultdict(list)
    for name, pid in words.pid:
        pids[name].append(pid)
    clients = (_client(words, words.client_id, words.client_secret),) if words.client_id else ()
    robots = (_client(words, words.service_id, words.service_secret),) if words.service_id else ()
    people = (Person(words.login_name, words.password),) if words.login_name else ()
    cast = Cast(clients, robots, people, tuple(words.cookie))
    issuer = words.issuer.rstrip("/")
    return Target(urlsplit(issuer).netloc or issuer, issuer, cast, pids=pids)


def _secret(text: str) -> str:
    return Path(text[1:]).read_text(encoding="utf-8").strip() if text.startswith("@") else text


def _client(words: argparse.Namespace, client_id: str, secret: str) -> Client:
    return Client(client_id, words.redirect_uri, secret, words.auth_method)


def _pid(text: str) -> tuple[str, int]:
    name, _, pid = text.rpartition("=")
    if not name or not pid.isdecimal():
        raise argparse.ArgumentTypeError(f"it is NAME=PID, not {text}")
    return name, int(pid)
