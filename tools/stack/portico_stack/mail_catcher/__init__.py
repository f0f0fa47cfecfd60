"""The mail catcher: an SMTP server for development that delivers nothing, and shows what it was given.

    python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY

Each mail is a file of its own (`shelf.py`); `smtp.py` takes them, `pages.py` shows them to people and programs. No
service knows of it: to users it is a mail server like any other. It is never part of a production: whoever reaches its
page reads every code.
"""
