"""How a Portico service runs: settings, bus, Redis, MongoDB, clock, health, logs, metrics, the process itself.

Owns everything the services would otherwise each write. Does not own any rule of the protocol, and
never imports `portico_web`: what is answered over HTTP is the services' own.
"""
