"""Backups of the two databases: consistent, encrypted with age, and restored with new Redis epochs and tokens
(decision 0072).
"""
