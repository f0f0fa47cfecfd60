from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_conversion.findings import Findings
from portico_conversion.users import auth0, firebase, keycloak, ldif, zitadel
from portico_conversion.users.converted_user import ConvertedUser
from portico_conversion.users.options import Options

Reader = Callable[[Sequence[Path], Options, Findings], Iterator[ConvertedUser]]

SOURCES: Final[Mapping[str, Reader]] = {
    "keycloak": keycloak.read_persons,
    "auth0": auth0.read_persons,
    "zitadel": zitadel.read_persons,
    "firebase": firebase.read_persons,
    "ldif": ldif.read_persons,
}
