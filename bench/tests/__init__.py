"""The measuring itself is tested: reading results, tables, budgets, plans, and the scripts against the limit."""
