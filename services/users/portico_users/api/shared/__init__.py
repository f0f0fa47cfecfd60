"""What the operations do: a folder for each subject, a file for each operation or a few of the same kind."""
