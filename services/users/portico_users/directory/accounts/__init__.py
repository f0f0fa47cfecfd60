"""Accounts: what humans and service users share when somebody asks who that is."""
