"""Serves the bare application with the settings every service is served with: ``python -m bench.limits``."""

from portico_runtime.health import Health
from portico_runtime.service import run
from starlette.types import ASGIApp

from bench.limits.app import LimitApp, LimitSettings


def _create(settings: LimitSettings) -> tuple[ASGIApp, Health]:
    return LimitApp(settings), Health()


if __name__ == "__main__":
    run("limit", LimitSettings, _create)
