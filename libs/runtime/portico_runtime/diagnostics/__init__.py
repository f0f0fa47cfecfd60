"""Diagnostics: recorded after the response, rate-limited, with values from an allow-list (decision 0055).

What may be shown of a request is decided here, which refusals are recorded in the services.
"""
