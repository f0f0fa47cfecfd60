"""How an address is shown to an end user who has only entered a password."""

from __future__ import annotations


def masked(email: str) -> str:
    """Enough to recognize the mailbox."""
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}\u2026@{domain}"
