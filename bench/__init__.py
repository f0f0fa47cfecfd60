"""How much processor time a request costs, beside the limit of the machine: see README.md."""
