"""Generates the files of `deploy/` from the contracts; ``make gen`` writes them, ``make check`` compares."""

from __future__ import annotations

from typing import Final

from portico_contracts.catalogue import SERVICES
from portico_contracts.topology import GRPC_PORT, HTTP_PORT, INTERNAL_PORT, MTLS_PORT, TOPOLOGY

from portico_stack.gateway.caddyfile import Site, caddyfile, mtls_site
from portico_stack.gateway.haproxy import CONFIGURATION, HaproxySite, haproxy_files
from portico_stack.kubernetes.bake import bake_file
from portico_stack.kubernetes.chart import chart_files
from portico_stack.kubernetes.gateway_api import gateway_api_files
from portico_stack.kubernetes.manifests import base_files
from portico_stack.kubernetes.overlays import overlay_files
from portico_stack.kubernetes.secrets import secret_files
from portico_stack.kubernetes.tracing import collector_files
from portico_stack.servers.nats import permissions, pings

_CADDY_HEAD: Final = """\
# Generated from portico_contracts.http and portico_contracts.gateway by `make gen`: change it there.
# PORTICO_GATEWAY_SITE is the site's address: http://:8080 behind something that ends TLS, or https://id.example.org,
# for which Caddy gets the certificate by itself. PORTICO_GATEWAY_MTLS=mtls.caddy adds the site for client certificates.
"""
_MTLS_HEAD: Final = """\
# Generated from portico_contracts.http and portico_contracts.gateway by `make gen`: change it there.
# The site at PORTICO_MTLS_URL for client certificates (RFC 8705). Caddy needs PORTICO_MTLS_GATEWAY_KEY as token has it.
"""
_MTLS_IMPORT: Final = "{$PORTICO_GATEWAY_MTLS:without-mtls*.caddy}"
"""A glob without a file, until the operator names one."""
_HAPROXY_HEAD: Final = """\
# Generated from portico_contracts.http and portico_contracts.gateway by `make gen`: change it there.
# It serves http on port 8080, behind something that ends TLS; where PORTICO_GATEWAY_CERTIFICATE names a certificate (PEM,
# with its key in a file beside it whose name ends with .key) also https on port 8443, and with PORTICO_MTLS_GATEWAY_KEY
# on port 8444 for client certificates (RFC 8705).
"""
_NATS_HEAD: Final = """\
# Generated from portico_contracts.catalogue by `make gen`: change it there.
# Include it in nats.conf. The passwords are taken from the environment of nats-server.
"""


def files() -> dict[str, str]:
    upstreams = {service: (f"{service}:{HTTP_PORT}",) for service in SERVICES}
    grpc = {service: (f"{service}:{GRPC_PORT}",) for service in SERVICES if TOPOLOGY[service].grpc}
    site = Site(
        "{$PORTICO_GATEWAY_SITE:http://:8080}", upstreams, grpc, health_port=INTERNAL_PORT, imported=_MTLS_IMPORT
    )
    mtls = mtls_site(Site("", upstreams, health_port=INTERNAL_PORT, mtls_address="{$PORTICO_MTLS_URL}"))
    haproxy = HaproxySite(
        (":8080",),
        upstreams,
        grpc,
        https_listen=(":8443",),
        mtls_listen=(f":{MTLS_PORT}",),
        strict_transport=True,
        ready_port=INTERNAL_PORT,
    )
    return {
        "deploy/caddy/Caddyfile": _CADDY_HEAD + caddyfile(site),
        "deploy/caddy/mtls.caddy": _MTLS_HEAD + mtls,
        **_below("deploy/haproxy", haproxy_files(haproxy)),
        **{f"deploy/kubernetes/base/{name}": text for name, text in base_files().items()},
        **{f"deploy/kubernetes/overlays/{name}": text for name, text in overlay_files().items()},
        **{f"deploy/kubernetes/gateways/{name}": text for name, text in gateway_api_files().items()},
        **{f"deploy/kubernetes/secrets/{name}": text for name, text in secret_files().items()},
        **{f"deploy/kubernetes/tracing/{name}": text for name, text in collector_files().items()},
        "deploy/docker-bake.json": bake_file(),
        **{f"deploy/helm/{name}": text for name, text in chart_files().items()},
        "deploy/nats/permissions.conf": _NATS_HEAD + pings() + permissions(),
    }


def _below(folder: str, named: dict[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": (_HAPROXY_HEAD if name == CONFIGURATION else "") + text for name, text in named.items()}
