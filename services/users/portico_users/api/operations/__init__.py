"""The operations of single subjects, as `operations.py` puts them together."""
