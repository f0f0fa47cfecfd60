"""What commands read from and write to their terminal: options, output, progress."""
