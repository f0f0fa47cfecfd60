"""Mutation tests: ``python -m mutants`` removes rules on purpose and checks that the tests fail.

Each TOML file in ``tables/`` has the mutants of one service or library; a mutant replaces one piece of source
text and names the tests that must fail. ``mutants/tests`` checks, in `make test`, that every mutant still
matches the source.
"""
