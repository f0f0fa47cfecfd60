"""What a running stack leaves for commands: addresses, how services were started, their state."""
