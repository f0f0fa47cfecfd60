"""Rules removed on purpose: ``python -m mutants`` proves that the tests notice.

Owns: the mutants, one TOML file per service and library in ``tables/``, each with the tests that must fail under it,
and the runner. A mutant is one replaced piece of source text. `mutant` reads the tables, `copies` makes the trees that
are changed, `verdicts` runs the tests of one mutant in one of them, `__main__` prints what survived.

Does not own: any test. ``mutants/tests`` only checks that every mutant still fits the source, in `make unit`.
"""
