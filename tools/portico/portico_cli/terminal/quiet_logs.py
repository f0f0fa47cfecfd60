from __future__ import annotations

import logging

import structlog


def silence() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
