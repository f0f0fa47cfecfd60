"""Federation: other identity providers are asked, what they answer is verified, and mapped to what an account has."""
