"""What a process does not import, and what it gives back to the system (decision 0044)."""
