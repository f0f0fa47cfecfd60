"""The form of a provider. It saves exactly the values that it shows."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from portico_contracts.management import METHODS
from portico_oauth.errors import Violation
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed

from portico_console.console_app.provider_wizard.preset import Input, Preset, Widget
from portico_console.forms.field import PREFIX, Field
from portico_console.forms.field import Widget as FieldWidget
from portico_console.forms.filling import with_problems
from portico_console.management.api import Fields
from portico_console.messages import message

_NAME: Final = f"{PREFIX}name"
_OPTIONS: Final = "providerOptions"
_LINKING: Final = f"{PREFIX}{_OPTIONS}.autoLinking"
_CHOICES: Final = {
    "AUTO_LINKING_OPTION_EMAIL": message("the same verified email address"),
    "AUTO_LINKING_OPTION_USERNAME": message("the same user name"),
    "AUTO_LINKING_OPTION_UNSPECIFIED": message("none: users choose it themselves"),
}
_NO_LINKING: Final = "AUTO_LINKING_OPTION_UNSPECIFIED"
_SWITCHES: Final = {
    "isCreationAllowed": (message("Let new users create an account"), ""),
    "isAutoCreation": (
        message("Create the account at once, without asking"),
        message("If a name or the email address is missing, the user is asked for it."),
    ),
    "isLinkingAllowed": (message("Let users link an account that they already have"), ""),
    "isAutoUpdate": (message("Update names, picture and language at each sign-in"), ""),
}
"""What happens to users, with labels and hints."""

_WIDGETS: Final = {
    Widget.TEXT: FieldWidget.TEXT,
    Widget.SECRET: FieldWidget.SECRET,
    Widget.LINES: FieldWidget.LINES,
    Widget.PEM: FieldWidget.LONG,
    Widget.SWITCH: FieldWidget.CHECK,
    Widget.CHOICE: FieldWidget.CHOICE,
}

NAME: Final = message("Name on the button")
KEPT: Final = message("Leave empty to keep the stored one.")
TRUST: Final = message("Trust email addresses that the provider has verified")
TRUSTED: Final = message("They then count as verified here, without a code.")
LINK_WITH: Final = message("Offer to link the account with")
PROVEN: Final = message("Its owner always has to sign in to it before it is linked.")


class ProviderFields(NamedTuple):
    """`connection` is what connects to the provider, `people` what happens to users."""

    connection: tuple[Field, ...]
    people: tuple[Field, ...]


def fields_of(
    preset: Preset, values: Fields, translate: Callable[[str], str], violations: Sequence[Violation], *, change: bool
) -> ProviderFields:
    """With `change`, an empty secret means the stored one."""
    name = Field("name", "name", NAME, FieldWidget.TEXT, required=True, value=values[_NAME] or "")
    connection = (name, *(_field(one, values[one.name], translate, change=change) for one in preset.inputs))
    people = [
        Field(f"{_OPTIONS}.{one}", one, label, FieldWidget.CHECK, hint=hint, value=bool(values[_rule(one)]))
        for one, (label, hint) in _SWITCHES.items()
    ]
    choices = tuple((word, translate(title)) for word, title in _CHOICES.items())
    linking = Field(
        f"{_OPTIONS}.autoLinking", "autoLinking", LINK_WITH, FieldWidget.CHOICE, hint=PROVEN, choices=choices, blank=False,
        value=values[_LINKING] or "",
    )  # fmt: skip
    people.insert(3, linking)
    if preset.trust:
        trusts = bool(values[f"{PREFIX}{preset.trust}"])
        people.append(Field(preset.trust, preset.trust, TRUST, FieldWidget.CHECK, hint=TRUSTED, value=trusts))
    marked = with_problems((*connection, *people), violations)
    return ProviderFields(marked[: len(connection)], marked[len(connection) :])


def _field(one: Input, value: Any, translate: Callable[[str], str], *, change: bool) -> Field:
    kept = change and _is_secret(one)
    is_check = one.widget is Widget.SWITCH
    return Field(
        one.path, one.path.rpartition(".")[2], one.label, _WIDGETS[one.widget], hint=KEPT if kept else one.hint,
        placeholder=one.placeholder, ltr=True, required=one.required and not kept, folded=one.folded, blank=False,
        choices=tuple((word, translate(title)) for word, title in one.choices), value=bool(value) if is_check else value or "",
    )  # fmt: skip


def initial_values(preset: Preset) -> Fields:
    """The values of a new provider's form."""
    values = Fields({one.name: one.initial for one in preset.inputs})
    values[_NAME] = "" if preset.is_generic else preset.title
    values |= {_rule(one): "on" for one in _SWITCHES}
    values |= {f"{PREFIX}{preset.trust}": "on" if preset.trusts else "", _LINKING: next(iter(_CHOICES))}
    return values


def stored_values(preset: Preset, provider: Fields) -> Fields:
    """The values of an existing provider; secrets are never known."""
    config: Fields = provider["config"][preset.config]
    options = provider["config"]["options"]
    values = Fields({one.name: _text(one, _find(config, one.path)) for one in preset.inputs})
    values |= {_rule(one): _on(options[one]) for one in _SWITCHES}
    values |= {
        _NAME: provider.get("name", ""),
        _LINKING: options.get("autoLinking", _NO_LINKING),
        f"{PREFIX}{preset.trust}": _on(preset.trust and config[preset.trust]),
    }
    return values


def request_of(preset: Preset, typed: Mapping[str, str], *, change: bool) -> dict[str, Any]:
    """The fields of the request; on a change, an empty secret is omitted, which keeps the stored one."""
    fields: dict[str, Any] = {"name": trimmed(typed.get(_NAME, ""))}
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
    fields[_OPTIONS] = {one: _rule(one) in typed for one in _SWITCHES}
    fields[_OPTIONS]["autoLinking"] = typed.get(_LINKING, _NO_LINKING)
    if preset.trust:
        fields[preset.trust] = f"{PREFIX}{preset.trust}" in typed
    if preset.named and not change:
        fields["preset"] = preset.named
    return fields


def add_unshown(fields: dict[str, Any], method: str, preset: Preset, provider: Fields) -> None:
    """Adds the stored values that the form does not have, because an update replaces all values of a directory."""
    request: Any = METHODS[method.replace("/", ".")].request.DESCRIPTOR
    _add_unshown(fields, request, provider["config"][preset.config], {one.path for one in preset.inputs})


def _add_unshown(
    fields: dict[str, Any], message: Any, stored: Mapping[str, Any], shown: Collection[str], path: str = ""
) -> None:
    for described in message.fields:
        name = described.json_name
        if name not in stored or f"{path}{name}" in shown:
            continue
        if name not in fields:
            fields[name] = stored[name]
        elif isinstance(stored[name], Mapping):
            _add_unshown(fields[name], described.message_type, stored[name], shown, f"{path}{name}.")


def secrets_of(preset: Preset) -> Sequence[str]:
    return [one.name for one in preset.inputs if _is_secret(one)]


def as_values(typed: Parameters, preset: Preset) -> Fields:
    """The typed values, to fill the form again; secrets are empty."""
    return Fields({name: value for name, value in typed.items() if name not in secrets_of(preset)})


def _is_secret(one: Input) -> bool:
    return one.widget is Widget.SECRET or one.path == "privateKey"


def _rule(name: str) -> str:
    return f"{PREFIX}{_OPTIONS}.{name}"


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
