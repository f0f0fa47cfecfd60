"""The limit of each operation: a bare ASGI function with the same parsing, Redis calls and signatures, nothing else."""
