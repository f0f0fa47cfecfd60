"""Traces of requests of relying parties, and who may read them."""
