"""Traces of requests: stored for a day, and never in the way of anything else."""
