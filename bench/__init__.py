"""Measures the processor time of a request, compared with the limit of the machine (README.md)."""
