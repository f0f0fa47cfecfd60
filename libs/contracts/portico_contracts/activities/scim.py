from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import CREATED, Activity, deletion, filled, states

_connection = partial(Activity, "scimConnections")
_target = partial(Activity, "scimTargets")

OF_SCIM: Final = (
    _connection("created", "%(actor)s created the SCIM connection %(object)s", action=CREATED),
    deletion("scimConnections"),
    _connection("secretChanged", "%(actor)s changed the secrets of the SCIM connection %(object)s", changed="secrets"),
    _connection("mappingChanged", "%(actor)s changed the mapping of the SCIM connection %(object)s", changed="mapping"),
    _connection("updated", "%(actor)s changed the SCIM connection %(object)s"),
    _target("created", "%(actor)s created the SCIM target %(object)s", action=CREATED),
    _target(
        "failed",
        "%(actor)s deactivated the SCIM target %(object)s because it fails",
        changed="failure",
        when=filled,
    ),
    deletion("scimTargets"),
    *states("scimTargets"),
    _target("tokenChanged", "%(actor)s changed the token of the SCIM target %(object)s", changed="token"),
    _target("updated", "%(actor)s changed the SCIM target %(object)s"),
)
