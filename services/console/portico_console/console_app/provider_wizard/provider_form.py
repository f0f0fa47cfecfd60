"""The form of a provider. It saves exactly the values that it shows."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_console.console_app.provider_wizard.presets import Input, Preset, Widget
from portico_console.management.api import Fields

RULES: Final = ("creation", "auto_creation", "linking", "auto_update", "trust")
LINKING: Final = ("AUTO_LINKING_OPTION_EMAIL", "AUTO_LINKING_OPTION_USERNAME", "AUTO_LINKING_OPTION_UNSPECIFIED")


def initial_values(preset: Preset) -> Fields:
    """The values of a new provider's form."""
    values = Fields({one.name: one.initial for one in preset.inputs})
    values["name"] = "" if preset.is_generic else preset.title
    values |= {rule: "on" for rule in RULES if rule != "trust"}
    values |= {"trust": "on" if preset.trusts else "", "auto_linking": LINKING[0]}
    return values


def stored_values(preset: Preset, provider: Fields) -> Fields:
    """The values of an existing provider; secrets are never known."""
    config: Fields = provider["config"][preset.config]
    options = provider["config"]["options"]
    values = Fields({one.name: _text(one, _find(config, one.path)) for one in preset.inputs})
    values |= {
        "name": provider.get("name", ""),
        "creation": _on(options["isCreationAllowed"]),
        "auto_creation": _on(options["isAutoCreation"]),
        "linking": _on(options["isLinkingAllowed"]),
        "auto_update": _on(options["isAutoUpdate"]),
        "auto_linking": options.get("autoLinking", LINKING[-1]),
        "trust": _on(preset.trust and config[preset.trust]),
    }
    return values


def request_of(preset: Preset, typed: Mapping[str, str], *, change: bool) -> dict[str, Any]:
    """The fields of the request; on a change, an empty secret is omitted, which keeps the stored one."""
    fields: dict[str, Any] = {"name": trimmed(typed.get("name", ""))}
    for one in preset.inputs:
        value = _value(one, typed.get(one.name, ""))
        if change and not value and one.widget in (Widget.SECRET, Widget.PEM) and one.path != "rootCa":
            continue
        *outer, last = one.path.split(".")
        inside = fields
        for part in outer:
            inside = inside.setdefault(part, {})
        inside[last] = value
    if tenant := fields.get("tenant"):  # one of the two
        del tenant["tenantType" if tenant["tenantId"] else "tenantId"]
    fields["providerOptions"] = {
        "isCreationAllowed": "creation" in typed,
        "isAutoCreation": "auto_creation" in typed,
        "isLinkingAllowed": "linking" in typed,
        "isAutoUpdate": "auto_update" in typed,
        "autoLinking": typed.get("auto_linking", LINKING[-1]),
    }
    if preset.trust:
        fields[preset.trust] = "trust" in typed
    return fields


def problems_of(preset: Preset, error: ServiceError) -> Fields:
    """Returns the problems by input."""
    names = {one.path: one.name for one in preset.inputs} | {"name": "name", preset.trust: "trust"}
    found = Fields()
    for one in error.violations:
        path = re.sub(r"\[\d+\]", "", one.field)
        if name := names.get(path) or names.get(path.partition(".")[0]):
            found.setdefault(name, one.text)
    return found


def secrets_of(preset: Preset) -> Sequence[str]:
    return [one.name for one in preset.inputs if one.widget is Widget.SECRET or one.path == "privateKey"]


def as_values(typed: Parameters, preset: Preset) -> Fields:
    """The typed values, to fill the form again; secrets are empty."""
    return Fields({name: value for name, value in typed.items() if name not in secrets_of(preset)})


def _value(one: Input, typed: str) -> Any:
    match one.widget:
        case Widget.LINES:
            return [line for line in map(trimmed, typed.splitlines()) if line]
        case Widget.SWITCH:
            return bool(typed)
        case Widget.PEM:
            return base64.b64encode(typed.encode()).decode()
        case Widget.SECRET:
            return typed
        case _:
            return trimmed(typed)


def _text(one: Input, stored: Any) -> str:
    match one.widget:
        case Widget.LINES:
            return "\n".join(stored or ())
        case Widget.SWITCH:
            return _on(stored)
        case Widget.SECRET:
            return ""
        case Widget.PEM:
            return base64.b64decode(stored).decode(errors="replace") if stored else ""
        case _:
            return str(stored or "")


def _find(config: Mapping[str, Any], path: str) -> Any:
    found: Any = config
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _on(value: object) -> str:
    return "on" if value else ""
