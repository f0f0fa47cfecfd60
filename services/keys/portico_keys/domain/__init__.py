"""Keys, their states and the rules of their lifecycle. No driver, no framework, no clock of its own."""
