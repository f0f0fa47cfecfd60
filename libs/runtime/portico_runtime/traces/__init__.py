"""Traces of requests: recorded after the answer, within limits, from an allow-list of what may be shown (decision 0055)."""
