"""Handing private keys to the replicas that sign, and to nobody else."""
