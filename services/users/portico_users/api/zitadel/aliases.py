"""The operation that serves each method of ZITADEL's SDKs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import Message
from portico_contracts.management import METHODS
from portico_contracts.zitadel.methods import ZITADEL_METHODS

from portico_users.api.zitadel.copying import copy_answer, copy_request


@dataclass(frozen=True, slots=True)
class Alias:
    """`operation` is performed with what `read` makes of the message; `write` makes the response of its answer."""

    operation: str
    read: Callable[[Message, Message], None] = copy_request
    write: Callable[[Message, Message], None] = copy_answer


_USERS: Final = "zitadel.user.v2.UserService."

ALIASES: Final[dict[str, Alias]] = {
    name: Alias(ours)
    for name in ZITADEL_METHODS
    if name.startswith(_USERS) and (ours := name.replace("zitadel.", "portico.", 1)) in METHODS
}
