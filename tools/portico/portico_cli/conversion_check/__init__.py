"""``portico convert --check``: what the running services would refuse of a document, and of old requests."""
