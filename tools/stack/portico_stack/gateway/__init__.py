"""Generates the gateway's configuration for Caddy and HAProxy from the tables of the contracts.

The rules are in `portico_contracts.http.GATEWAY` and `portico_contracts.gateway`; this package has their
syntax and the gateway's error pages.
"""
