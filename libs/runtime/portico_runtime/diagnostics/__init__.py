"""Diagnostics: recorded after the response, rate-limited, with values from an allow-list (decision 0055)."""
