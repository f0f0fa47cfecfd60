"""The `portico` command of operators: its options, its questions to services, and the lines it prints.

Owns: what a command reads from files and arguments, what it asks first, what it prints, its exit status. A command's
module is imported when the command is used.

Does not own: what a service decides; it is asked over the bus as the user `operator`. Starting servers and services is
`portico_stack`'s, of which ``portico up`` is the words.
"""
