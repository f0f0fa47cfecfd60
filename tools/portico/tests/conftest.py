from __future__ import annotations

from portico_harness.portico_command import logging_stays

__all__ = ["logging_stays"]
