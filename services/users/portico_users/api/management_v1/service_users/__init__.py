"""Service users: programs, and what they prove themselves with."""
