"""Generates Python messages and the OpenAPI document from the .proto files."""
