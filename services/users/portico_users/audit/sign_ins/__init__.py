"""Sign-ins, sign-outs and refusals in the event log: for a limited time, and in a limited number."""
