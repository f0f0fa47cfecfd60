"""The management console and account page: relying parties that act only with their user's access token."""
