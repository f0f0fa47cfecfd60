"""Runs the service that PORTICO_SERVICE names: ``python -m portico_runtime`` (or ``check-settings``, ``doctor``).

It starts a container: all services are in one image.
"""

from __future__ import annotations

import os
import runpy
import sys
from typing import Final

from portico_contracts.topology import TOPOLOGY

VARIABLE: Final = "PORTICO_SERVICE"

if __name__ == "__main__":
    # Services refuse settings that they do not know.
    name = os.environ.pop(VARIABLE, "")
    if name not in TOPOLOGY:
        sys.exit(f"{VARIABLE} is {name!r}. Set it to one of {', '.join(TOPOLOGY)}.")
    runpy.run_module(TOPOLOGY[name].module, run_name="__main__", alter_sys=True)
