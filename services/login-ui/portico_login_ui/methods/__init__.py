"""Template contexts and form readers of the steps; `steps` is the table."""
