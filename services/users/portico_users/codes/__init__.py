"""One-time codes sent by email or returned to a caller: how they are made, stored and checked."""
