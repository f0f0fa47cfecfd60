"""The gateway's configuration for each program that can be it, generated from the tables of the contracts.

Owns how `portico_contracts.http.GATEWAY` and `portico_contracts.gateway` are written for Caddy and HAProxy, and the
pages they answer with by themselves; decides nothing of that.
"""
