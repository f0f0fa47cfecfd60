"""Processes of a stack: started, restarted, waited for, and started again when code changes."""
