from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import CREATED, Activity, deletion

_connection = partial(Activity, "scimConnections")

OF_SCIM: Final = (
    _connection("created", "%(actor)s created the SCIM connection %(object)s", action=CREATED),
    deletion("scimConnections"),
    _connection("secretChanged", "%(actor)s changed the secrets of the SCIM connection %(object)s", changed="secrets"),
    _connection("updated", "%(actor)s changed the SCIM connection %(object)s"),
)
