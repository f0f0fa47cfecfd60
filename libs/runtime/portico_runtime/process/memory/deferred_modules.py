"""Runs a module only when one of its attributes is used (decision 0044).

Some packages import all of their submodules: `redis` also the clients for clusters, Sentinel and Redis modules. Services
import the submodules that they use. Other modules are imported and hardly ever used.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

DEFERRED_MODULES: Final[Mapping[str, str]] = {
    "OpenSSL": "TLS connections",
    "cryptography.x509": "certificates",
    "fastapi.security": "authentication schemes",
    "google.protobuf.internal.python_message": "messages without the C library",
    "html": "names of characters",
    "http.client": "a client without asyncio",
    "jwt": "PyJWK and a client that downloads keys",
    "locale": "a table of locales",
    "prometheus_client": "servers, and clients of a push gateway",
    "redis": "synchronous clients, and clients for clusters and Sentinel",
    "redis.asyncio": "clients for clusters and Sentinel",
    "redis.commands": "methods for each command and for Redis modules",
    "uvicorn": "the command line, which imports click and multiprocessing",
    "webauthn": "formats of attestations, which only a registration reads",
}
"""By import name: what the module has or imports and services do not use."""

_deferred: Final[dict[str, Loader]] = {}
_lock: Final = RLock()


def defer_modules(names: Collection[str] = DEFERRED_MODULES.keys()) -> None:
    """Call before importing the modules."""
    sys.meta_path.insert(0, _Finder(names))


class _Module(ModuleType):
    def __getattr__(self, name: str) -> Any:
        submodule = f"{self.__name__}.{name}"
        if PathFinder.find_spec(submodule, vars(self).get("__path__", ())):
            return import_module(submodule)
        with _lock:
            if loader := _deferred.pop(self.__name__, None):
                loader.exec_module(self)
        try:
            return vars(self)[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None


class _Loader:
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        _deferred[module.__name__] = self._loader
        module.__class__ = _Module
        module.__loader__ = self._loader
        if module.__spec__:
            module.__spec__.loader = self._loader


class _Finder:
    """Without the base classes in `importlib.abc`, which import much themselves."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in self._names else None
        if spec and spec.loader:
            spec.loader = cast("Loader", _Loader(spec.loader))
        return spec
