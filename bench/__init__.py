"""How fast it is: ``python -m bench`` measures Portico beside the limits of the machine, in the same run.

Owns: the operations that are measured (`operations`), their budgets (`budgets`), the population (`population`,
`populating`), preparing what else they need by plain HTTP (`preparing`), driving them with wrk (`wrk`, ``lua/``),
processor time by component (`processes`), the limits to compare with: a bare ASGI function per operation (`limits`) and
the machine's own rates (`rates`), and what the last release cost (`ratios`).

Does not own: anything of the product. It starts a stack as ``make up`` does and talks to it from outside, so it
works with any other OpenID provider too.

The walk of a run: `__main__` reads the words → `session` starts the targets (`stack_target`, `limit_target`,
`foreign_target`) and moves processes to their cores → `measuring` goes through the rounds, A B A B → `table` and
`report` print and write what was found → `ratios` compares it.
"""
