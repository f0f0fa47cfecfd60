"""Applications: the clients of the protocol, with their secrets as fingerprints."""
