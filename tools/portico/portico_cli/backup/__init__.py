"""Consistent backups of both databases, encrypted with age, restored with new Redis epochs (decision 0072)."""
