"""Code that is generated from the .proto files: Python messages and the OpenAPI document."""
