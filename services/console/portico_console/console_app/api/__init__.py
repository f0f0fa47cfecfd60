"""All operations of the management API: a list, and a generated form for each, which also shows the call as curl
and as a document.
"""
