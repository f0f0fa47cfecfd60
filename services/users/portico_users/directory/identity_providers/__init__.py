"""Identity providers: where people of other houses prove who they are, and how they are linked to users."""
