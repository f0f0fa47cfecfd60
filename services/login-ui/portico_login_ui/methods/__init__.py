"""Ways to answer a step: one folder each, with one file per flow (login, register; later settings).

A method knows its page and its fields. It does not know what comes before or after it: authz does.
"""

from __future__ import annotations

from portico_login_ui.methods.method import Method, PageContext

__all__ = ["Method", "PageContext"]
