"""Values and rules without a store: names, times, words, problems, JSON text, tables of fields."""
