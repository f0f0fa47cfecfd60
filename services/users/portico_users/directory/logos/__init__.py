"""Logos of organizations and of the instance: read, made anew, stored and served."""
