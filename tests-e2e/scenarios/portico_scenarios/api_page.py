"""A page that calls the management API with connect-web, in the locked versions.

Nothing is bundled: the browser loads the library's modules by an import map, and the services from their
descriptors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.rpc import error_details_pb2
from playwright.async_api import Page, Route
from portico_contracts.generated.portico.v1 import error_pb2
from portico_contracts.management import SERVICES
from portico_fakes.management_api import ApiResponse

from portico_scenarios.browser_rp import MODULES

_PATH: Final = "/a-page-of-somebody-else"
_PAGE: Final = Path(__file__).with_name("api_page.html")
_UNDERSCORE: Final = re.compile("_(.)")
_PACKAGES: Final = {
    "@bufbuild/protobuf": ("", "codegenv2", "wire", "wkt"),
    "@connectrpc/connect": ("", "protocol", "protocol-connect", "protocol-grpc-web"),
    "@connectrpc/connect-web": ("",),
}


class ApiPage:
    """The page in one tab, on the issuer's origin, because the API has no CORS headers."""

    def __init__(self, tab: Page, issuer: str) -> None:
        self.tab = tab
        self._url = f"{issuer}{_PATH}/"

    async def open(self) -> None:
        await self.tab.route(f"{self._url}**", self._serve)
        await self.tab.goto(self._url)
        await self.tab.wait_for_function("document.title === 'ready'")

    async def call(
        self, form: str, name: str, members: dict[str, Any], token: str
    ) -> tuple[ApiResponse, dict[str, str]]:
        """Calls a method; returns the response with its trailers.

        Args:
            form: ``gRPC-web`` or ``Connect``.
        """
        service, _, method = name.rpartition(".")
        local = method[0].lower() + method[1:]
        wanted = {"form": form, "service": service, "method": local, "members": members, "token": token}
        response: dict[str, Any] = await self.tab.evaluate("wanted => window.call(wanted)", wanted)
        return ApiResponse(response["code"], response["body"]), response["trailers"]

    async def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(self._url)
        if path == "descriptors.bin":
            await route.fulfill(body=_descriptors(), content_type="application/octet-stream")
        elif path:
            await route.fulfill(path=MODULES / path, content_type="text/javascript")
        else:
            page = _PAGE.read_text(encoding="utf-8").replace("IMPORTS", json.dumps({"imports": _imports()}))
            await route.fulfill(body=page, content_type="text/html")


def _imports() -> dict[str, str]:
    return {
        "/".join(filter(None, (package, part))): "/".join(filter(None, (_PATH, package, "dist/esm", part, "index.js")))
        for package, parts in _PACKAGES.items()
        for part in parts
    }


def _descriptors() -> bytes:
    found: dict[str, FileDescriptorProto] = {}

    def add(file: Any) -> None:
        if file.name in found:
            return
        for needed in file.dependencies:
            add(needed)
        found[file.name] = FileDescriptorProto.FromString(file.serialized_pb)
        _name_in_json(found[file.name].message_type)

    services: list[Any] = [service.file for service in SERVICES]
    for file in (error_pb2.DESCRIPTOR, error_details_pb2.DESCRIPTOR, *services):
        add(file)
    return FileDescriptorSet(file=found.values()).SerializeToString()


def _name_in_json(kinds: Iterable[DescriptorProto]) -> None:
    """Adds the JSON names of fields, which protoc omits from Python's modules."""
    for kind in kinds:
        for field in kind.field:
            field.json_name = _UNDERSCORE.sub(lambda found: found[1].upper(), field.name)
        _name_in_json(kind.nested_type)
