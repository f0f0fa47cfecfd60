from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from portico_snippets.frameworks import API_FRAMEWORKS, FRAMEWORKS, Framework, find_api_framework, find_framework

AUTHORIZATION_CODE: Final = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"
DEVICE_CODE: Final = "OIDC_GRANT_TYPE_DEVICE_CODE"
REFRESH_TOKEN: Final = "OIDC_GRANT_TYPE_REFRESH_TOKEN"

METHODS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "client_secret_basic": "OIDC_AUTH_METHOD_TYPE_BASIC",
        "client_secret_post": "OIDC_AUTH_METHOD_TYPE_POST",
        "none": "OIDC_AUTH_METHOD_TYPE_NONE",
    }
)


@dataclass(frozen=True, slots=True)
class AppKind:
    """`word` is used in URLs; `app_type` is empty without end users; `public`: it cannot keep a secret.

    `device`: users sign in with a code in the browser of another device, without a redirect URI.
    """

    word: str
    app_type: str = ""
    public: bool = False
    device: bool = False

    @property
    def has_sign_in(self) -> bool:
        return bool(self.app_type)

    def frameworks(self) -> tuple[Framework, ...]:
        if self.word == "api":
            return tuple(map(find_api_framework, API_FRAMEWORKS))
        if not self.has_sign_in:
            return ()
        fitting = (one for one in map(find_framework, FRAMEWORKS) if one.device is self.device)
        return tuple(one for one in fitting if self.method_of(one))

    def method_of(self, framework: Framework | None) -> str:
        if self.public:
            return "none" if framework is None or "none" in framework.methods else ""
        if framework is None:
            return "client_secret_basic"
        return framework.method if framework.method != "none" else ""


KINDS: Final = (
    AppKind("web", "OIDC_APP_TYPE_WEB"),
    AppKind("browser", "OIDC_APP_TYPE_USER_AGENT", public=True),
    AppKind("native", "OIDC_APP_TYPE_NATIVE", public=True),
    AppKind("device", "OIDC_APP_TYPE_NATIVE", public=True, device=True),
    AppKind("api"),
    AppKind("machine"),
)


def find_kind(word: str) -> AppKind | None:
    return next((kind for kind in KINDS if kind.word == word), None)


def kind_of(app: Mapping[str, Any]) -> AppKind:
    config = app.get("oidcConfig")
    if config is None:
        return next(kind for kind in KINDS if kind.word == "api")
    app_type, grants = config.get("appType", "OIDC_APP_TYPE_WEB"), config.get("grantTypes", ())
    only_device = DEVICE_CODE in grants and AUTHORIZATION_CODE not in grants
    fitting = [kind for kind in KINDS if kind.app_type == app_type]
    return next((kind for kind in fitting if kind.device is only_device), fitting[0])
