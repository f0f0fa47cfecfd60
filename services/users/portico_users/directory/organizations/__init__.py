"""Organizations: the owners of everything else, each with the primary domain its login names end with."""
