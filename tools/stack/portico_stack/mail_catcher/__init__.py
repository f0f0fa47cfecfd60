"""The mail catcher: an SMTP server for development that delivers nothing, and shows what it received.

python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY

Never use it in production: a client that reaches its page can read every code.
"""
