"""Infrastructure for tests of every part: real servers, the gateway alone, certificates, a terminal, HTML parsing.

Imports no service; no product code imports this package.
"""

from __future__ import annotations

import os

# Tests start processes while gRPC calls are running, and gRPC's fork handlers crash some of them. A child process
# here executes a program at once, so the handlers are not needed.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
