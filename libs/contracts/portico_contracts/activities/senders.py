from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import CREATED, DELETED, Activity

TEXT_LIMITS: Final = "textLimits"
TEXT_LIMIT_REACHED: Final = "limit_reached"

_sender = partial(Activity, "senders")

OF_SENDERS: Final = (
    _sender("created", "%(actor)s set up a sender of messages", action=CREATED),
    _sender("deleted", "%(actor)s removed a sender of messages", action=DELETED),
    _sender("secretChanged", "%(actor)s changed the signing secret of a sender of messages", changed="secrets"),
    _sender("updated", "%(actor)s changed a sender of messages"),
    Activity(TEXT_LIMITS, "limitReached", "The limit of text messages was reached", action=TEXT_LIMIT_REACHED),
)
