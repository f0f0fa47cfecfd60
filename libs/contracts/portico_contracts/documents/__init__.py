"""The text of a document of ``portico apply``: YAML is read with the place of each error, and written."""
