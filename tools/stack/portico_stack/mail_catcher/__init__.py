"""The mail catcher: an SMTP server for development that delivers nothing, and shows what it received.

    python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY

Each email is a file of its own (`message_store.py`); `smtp.py` receives them, `pages.py` shows them to people and programs. No
service knows of it: to users it is a mail server like any other. It is never part of a production: a client that reaches its
page reads every code.
"""
