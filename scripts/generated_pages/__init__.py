"""The pages of docs/generated: each a function from the tables in the code to Markdown."""
