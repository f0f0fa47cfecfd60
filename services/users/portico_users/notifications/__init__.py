"""What leaves the service: emails, notices to account owners, webhooks."""
