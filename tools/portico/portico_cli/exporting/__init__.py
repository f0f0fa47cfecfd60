"""The current state, for ``portico export``: a document, or lists as CSV and JSON."""
