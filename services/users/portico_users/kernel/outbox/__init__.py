"""The outbox: committed events on their way to the bus."""
