from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import CREATED, Activity, deletion

_server = partial(Activity, "outsideServers")

OF_OUTSIDE_SERVERS: Final = (
    _server("created", "%(actor)s created the outside server %(object)s", action=CREATED),
    deletion("outsideServers"),
    _server("updated", "%(actor)s changed the outside server %(object)s"),
)
