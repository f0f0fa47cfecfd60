"""What the pages of the steps are rendered with, and how their forms are read; `steps` is the table."""
