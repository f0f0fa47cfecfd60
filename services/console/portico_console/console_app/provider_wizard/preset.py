"""What a preset of the provider pages has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from portico_contracts.http import EXTERNAL_CALLBACK, JWT_AUTHORIZE

from portico_console.forms.field import PREFIX


class Widget(Enum):
    TEXT = "text"
    SECRET = "secret"
    LINES = "lines"
    PEM = "pem"
    SWITCH = "switch"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the request, with its path: ``attributes.emailAttribute``; `folded` ones are under "More"."""

    path: str
    label: str
    widget: Widget = Widget.TEXT
    hint: str = ""
    placeholder: str = ""
    initial: str = ""
    required: bool = False
    folded: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.path}"


@dataclass(frozen=True, slots=True)
class Preset:
    """One kind of provider.

    Attributes:
        method: in the names of operations: ``Add…Provider``.
        config: the member of the provider's configuration.
        steps: what to do at the provider with the redirect URI, in order.
        trust: the field that trusts verified addresses; empty where they always count.
        trusts: its initial value.
    """

    word: str
    title: str
    method: str
    config: str
    inputs: tuple[Input, ...]
    about: str = ""
    vendor_url: str = ""
    steps: tuple[str, ...] = ()
    trust: str = "trustedEmail"
    trusts: bool = False

    @property
    def is_generic(self) -> bool:
        """Its title is the name of a protocol, not of a provider."""
        return self.word in ("oidc", "oauth", "jwt", "ldap")

    @property
    def named(self) -> str:
        """Its name in the configuration, for the presets that the generic operations add; else empty."""
        return self.word if self.method in ("GenericOIDC", "GenericOAuth") and not self.is_generic else ""

    @property
    def by_password(self) -> bool:
        return self.word == "ldap"

    def redirect_uri(self, issuer: str, id: str) -> str:
        """The address to register at the provider; empty for LDAP."""
        if self.by_password:
            return ""
        return issuer + (JWT_AUTHORIZE if self.word == "jwt" else EXTERNAL_CALLBACK.format(id=id))
