"""The screens of the console: one row of a table for each kind of object, and five templates that serve all rows."""
