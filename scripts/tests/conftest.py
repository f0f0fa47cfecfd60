from __future__ import annotations

import json
from typing import Any

import pytest
from generated_code.openapi import openapi


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The OpenAPI document of the management API."""
    read: dict[str, Any] = json.loads(*openapi().values())
    return read


@pytest.fixture(scope="session")
def schemas(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found
