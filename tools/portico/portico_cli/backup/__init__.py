"""Backups of the two databases: made at one time, encrypted with age, put back with everything begun anew (decision 0072)."""
