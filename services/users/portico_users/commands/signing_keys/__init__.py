"""Use cases of the signing keys, which the keys service owns."""
