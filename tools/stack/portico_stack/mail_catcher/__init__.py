"""The mail catcher: an SMTP server for development that delivers nothing, and shows what it received.

python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY

Each email is a file (`message_store.py`); `smtp.py` receives them, `pages.py` shows them. To users it is an
ordinary mail server. Never use it in production: a client that reaches its page can read every code.
"""
