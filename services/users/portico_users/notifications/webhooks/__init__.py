"""Webhooks: whoever wants to hear of every change gets it by HTTP, signed, at least once, in order per object.

The walk of one event::

    journal/relay.py     the event is on the stream
    intake.py            who hears it: one delivery each is written down, once per webhook and event
    lanes.py             a webhook with work is one replica's for a while
    sender.py            its deliveries are sent, those about one object one after the other
    message.py           body, headers, signature (Standard Webhooks)
    deliveries.py        what waits, and the log of what became of it

A receiver that is slow or dead costs its own lane and nobody else's; what it does not take waits, is tried again after
growing pauses (`schedule.py`) and is given up after three days.
"""
