"""A local installation: its passwords and keys, and the documents that a start applies."""
