"""Starts the real servers and all services on one machine.

Owns: processes and their restarts, ports, passwords and secrets of a local installation, the configuration of
Redis, MongoDB, NATS and Caddy (also what `deploy/` holds of it), the YAML reader of ``portico apply``.

Does not own: any rule of the protocol, nor the words of a command (`portico_cli`). Services are processes; they are
called over the bus as the user `operator`.

The walk of ``portico up``: `up` (lines, signals) → `stack.Stack` (what there is, in which order) → `services` (how one
service is started) and `servers` (how one server is) → `processes.Process` (keeps it alive).
"""
