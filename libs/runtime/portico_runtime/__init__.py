"""The runtime of Portico services: settings, bus, Redis, MongoDB, clock, health, logs, metrics and the process.

It contains no protocol rules and never imports `portico_web`.
"""
