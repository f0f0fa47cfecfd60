"""The runtime of all services, without protocol rules; it never imports `portico_web`."""
