"""Log lines of libraries stay out of the output of commands."""

from __future__ import annotations

import logging

import structlog


def silence() -> None:
    """Lets only critical log lines through."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
