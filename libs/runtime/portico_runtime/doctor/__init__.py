"""The checks of ``python -m portico_<service> doctor``; they change nothing and print no secrets."""
