from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.http import MANAGEMENT_OPENAPI
from portico_fakes.management_api import ISSUER

pytestmark = pytest.mark.servers


async def test_openapi_document_has_the_issuer_as_server(managed: Any) -> None:
    """The OpenAPI document is public and has the issuer as server, so that generated clients need no configuration."""
    document = (await managed.api.http.get(MANAGEMENT_OPENAPI)).json()

    assert document["servers"] == [{"url": ISSUER}]
    assert "/v2/users/human" in document["paths"]
