"""The rows of ``portico user import``, from lines of JSON or CSV."""
