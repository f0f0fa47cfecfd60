"""Starts the servers and all services on one machine.

Also has the secrets of a local installation, the configuration of Redis, MongoDB, NATS and the gateway (see
`deploy/`), and the YAML reader of ``portico apply``. Services are called over the bus as the user `operator`.

``portico up``: `up` (output, signals) → `stack.Stack` (parts and their order) → `services` (starts a service)
and `servers` (starts a server) → `processes.Process` (supervises it).
"""
