"""``portico apply``: brings the stored state to what a document says, and says what it did.

Everything is planned first, against the stored state, and refused as a whole when anything is wrong; then each
object is committed in its own transaction. A second run finds nothing to do and writes no event. An object
without an id is found by its name within its parent. Ids, client ids and parents never change.

What the document leaves out stays as it is. Passwords and given client secrets are used at creation only; a
secret that becomes necessary later, by another authentication method, is set then. Roles are exact in each
scope (instance, organization) the document names a role of. Metadata keys nobody names stay.
"""
