"""Lists all operations of the management API, with a form for each that also shows curl and document."""
