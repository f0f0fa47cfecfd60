"""The `portico` command; it calls services over the bus as the user `operator`."""
