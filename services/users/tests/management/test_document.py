"""The OpenAPI document as it is served."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.http import MANAGEMENT_OPENAPI
from portico_fakes.management_api import ISSUER

pytestmark = pytest.mark.servers


async def test_the_document_names_the_installation(managed: Any) -> None:
    """A client generated from it calls the issuer, without another word; every caller may read it."""
    document = (await managed.api.http.get(MANAGEMENT_OPENAPI)).json()

    assert document["servers"] == [{"url": ISSUER}]
    assert "/v2/users/human" in document["paths"]
