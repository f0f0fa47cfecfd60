"""Webhooks: subscribers receive changes by HTTP, signed, at least once, in order per object.

The path of one event::

    kernel/outbox.py    publishes the event to the stream
    event_consumer.py         enqueues one delivery for each subscribed webhook
    delivery_queues.py        leases the queue of a webhook to one replica
    sender.py                 sends its deliveries, those about one object one after the other
    message.py                body, headers, signature (Standard Webhooks)
    deliveries.py             what is to be sent, and the log of attempts

A receiver that is slow or down delays its own queue only; a failed delivery is retried after growing pauses
(`schedule.py`), and given up after three days.
"""
