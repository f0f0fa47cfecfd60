"""Project grants: as the owner of the project makes them, and as the organization sees them it is granted to."""
