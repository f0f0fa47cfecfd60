"""The limit of each operation: bare ASGI functions with the same parsing, Redis calls and signatures, nothing else.

No framework (but FastAPI for users), no validation, no rule of the protocol beyond what makes the answers usable: this
is what the machine, uvicorn, Redis and MongoDB cost by themselves. Served with the settings every service is served with, at the paths
of the product, so that the same scripts drive both. Never to be reached from outside a measurement.
"""
