"""HTTP for all services: error formats, form parsing, cookies, headers, pages."""

from __future__ import annotations

from importlib import import_module

from pydantic import BaseModel

# FastAPI's models are for OpenAPI documents, which no service serves. Their validators, a megabyte, are built at first
# use (decision 0044).
BaseModel.model_config["defer_build"] = True
import_module("fastapi.openapi.models")
del BaseModel.model_config["defer_build"]
