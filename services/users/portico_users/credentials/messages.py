from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration

from portico_users.credentials.webauthn.registration_links import SECONDS

LIFETIME: Final = Duration(seconds=int(SECONDS))
