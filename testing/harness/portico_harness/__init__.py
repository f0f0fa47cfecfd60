"""What tests of every part run on: real servers, the gateway alone, certificates, a terminal, waiting, reading HTML.

Owns nothing of the product and imports no service; nothing of the product imports it.
"""

from __future__ import annotations

import os

# Tests start processes while gRPC calls are under way, and its fork handlers crash some of them before they
# become what they should. A child here executes a program at once, so that nothing has to be handled.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
