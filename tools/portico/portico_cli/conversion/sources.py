from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_cli.conversion import auth0, firebase, keycloak, ldif, zitadel
from portico_cli.conversion.converted_user import ConvertedUser
from portico_cli.conversion.findings import Findings
from portico_cli.conversion.options import Options

Reader = Callable[[Sequence[Path], Options, Findings], Iterator[ConvertedUser]]

SOURCES: Final[Mapping[str, Reader]] = {
    "keycloak": keycloak.read_persons,
    "auth0": auth0.read_persons,
    "zitadel": zitadel.read_persons,
    "firebase": firebase.read_persons,
    "ldif": ldif.read_persons,
}
