"""What a grant, a token and a claim are: values and rules, without driver or framework."""
