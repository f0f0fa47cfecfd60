"""Deterministic samples of all messages with every field filled, for the golden files."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, Final

import msgspec
from msgspec import inspect
from portico_contracts import (
    apply,
    authz,
    diagnostics,
    events,
    keys,
    login,
    login_device,
    login_external,
    login_logout,
    login_sessions,
    login_wire,
    token,
    users,
)
from portico_contracts.apply import DeclaredObject
from portico_contracts.apply.settings import DURATION
from portico_contracts.login_steps import ANSWERS, STEPS
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message
from portico_contracts.users import email_codes, enrolment, first_run

MODULES: Final[tuple[ModuleType, ...]] = (
    *(apply, authz, events, keys, login, login_device, login_external, login_logout, login_sessions, login_wire),
    *(token, diagnostics, users),
    email_codes,
    enrolment,
    first_run,
)

_EXTENDED: Final = {base for kind in (*STEPS.values(), *ANSWERS.values()) for base in kind.__mro__[1:]}
"""Sent only as one of the messages that extend them."""

_OF_PATTERNS: Final = {DURATION: "7s"}


def message_kinds() -> dict[str, type[msgspec.Struct]]:
    named = [(module.__name__.rpartition(".")[2], module) for module in MODULES]
    named += [("login_steps", import_module(f"portico_contracts.login_steps.{step.name.lower()}")) for step in StepName]
    return {
        f"{title}.{name}": value
        for title, module in named
        for name, value in vars(module).items()
        if _is_message(value) and f"{value.__module__}.".startswith(f"{module.__name__}.")
    }


def sample_of(kind: type[msgspec.Struct]) -> msgspec.Struct:
    return msgspec.convert(_value(inspect.type_info(kind), "value"), kind, builtin_types=(bytes,))


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, Message | DeclaredObject)
        and value not in (Message, DeclaredObject)
        and value not in _EXTENDED
    )


def _value(kind: inspect.Type, name: str) -> Any:
    match kind:
        case inspect.Metadata():
            return _value(kind.type, name)
        case inspect.UnionType():
            return _value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), name)
        case inspect.StructType():
            tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
            return {**tag, **{field.encode_name: _value(field.type, field.name) for field in kind.fields}}
        case inspect.VarTupleType() | inspect.AnyType():
            return [name if isinstance(kind, inspect.AnyType) else _value(kind.item_type, name)]
        case inspect.DictType():
            key = _choices(kind.key_type)[-1] if isinstance(kind.key_type, inspect.EnumType) else "name"
            return {key: _value(kind.value_type, name)}
        case _:
            return _scalar(kind, name)


def _scalar(kind: inspect.Type, name: str) -> Any:
    match kind:
        case inspect.StrType():
            return _OF_PATTERNS[kind.pattern] if kind.pattern else _text(kind, name)
        case inspect.EnumType() | inspect.LiteralType():
            return _choices(kind)[-1]
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return max(7, kind.ge or 0)
        case inspect.FloatType():
            return 1_790_000_000.5
        case inspect.BytesType():
            return b"\x00\x01\xfe\xff"
        case _:
            raise TypeError(f"no sample for {kind}")


def _text(kind: inspect.StrType, name: str) -> str:
    longest = kind.max_length or 40
    return f"a {name.replace('_', ' ')}".ljust(kind.min_length or 0, ".")[:longest]


def _choices(kind: inspect.EnumType | inspect.LiteralType) -> list[Any]:
    return [one.value for one in kind.cls] if isinstance(kind, inspect.EnumType) else list(kind.values)
