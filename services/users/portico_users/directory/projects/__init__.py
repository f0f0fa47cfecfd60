"""Projects: what applications belong to, and the audience they share."""
