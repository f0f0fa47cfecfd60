"""The composition of the service, one file per room."""
