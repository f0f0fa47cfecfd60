"""Generates Caddy's and HAProxy's configuration from `portico_contracts.http.GATEWAY` and `.gateway`."""
