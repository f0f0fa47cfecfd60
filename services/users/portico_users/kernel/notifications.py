"""The port through which an event reaches people by email, in the transaction of the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from portico_contracts.events import Changed

from portico_users.kernel.entry import Entry, Work

Notice = Callable[[str, float], Work | None]
"""Gets the id and the time of an event (unix seconds), and gives what enqueues its email: one for each event id.

None where no email is sent. `portico_users.notifications.notices.notices.Notices` makes them.
"""


class Notifications(Protocol):
    """What the journal notifies of each change."""

    def notice_of(self, entry: Entry[Any], event: Changed) -> Work | None:
        """What enqueues the notice of a change; None for a change without a notice."""
        ...
