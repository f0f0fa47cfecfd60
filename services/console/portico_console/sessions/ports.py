"""What a store of sessions can do."""

from __future__ import annotations

from typing import Any, Protocol

from portico_console.sessions.session import Session


class Sessions(Protocol):
    """Sessions, and secrets that are shown once. Every method raises `unavailable` when the store cannot be asked."""

    async def create(self, session: Session, kind: str) -> str:
        """Stores a new session of an application, and returns the handle for its cookie."""
        ...

    async def find(self, handle: str, kind: str) -> Session | None:
        """The session of a handle, which counts as a use of it; None when there is none."""
        ...

    async def remove(self, handle: str, kind: str) -> None:
        """Ends a session."""
        ...

    async def remove_all(self, sub: str, sid: str, kind: str) -> None:
        """Ends all sessions of a person with an application that began with one session at the provider."""
        ...

    async def keep_to_show(self, session: Session, secret: dict[str, Any]) -> str:
        """Keeps something for a few minutes that one page shows once; returns the name it is taken by."""
        ...

    async def take_to_show(self, session: Session, name: str) -> dict[str, Any] | None:
        """What `keep_to_show` kept for the same person; None the second time."""
        ...
