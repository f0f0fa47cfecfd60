"""Starts the servers and all services on one machine.

It manages processes and restarts, ports, passwords and secrets of a local installation, and the configuration
of Redis, MongoDB, NATS and the gateway (also in `deploy/`), and contains the YAML reader of ``portico
apply``. Services are processes, called over the bus as the user `operator`.

``portico up``: `up` (output, signals) → `stack.Stack` (parts and their order) → `services` (starts a service)
and `servers` (starts a server) → `processes.Process` (supervises it).
"""
