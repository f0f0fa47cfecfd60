"""Webhooks: subscribers receive changes by HTTP, signed, at least once, in order per object.

The path of one event::

    journal/outbox.py          publishes the event to the stream
    event_consumer.py         enqueues one delivery for each subscribed webhook
    delivery_queues.py        leases the queue of a webhook to one replica
    sender.py                 sends its deliveries, those about one object one after the other
    webhook.py                body, headers, signature (Standard Webhooks), pauses between attempts
    deliveries.py             pending deliveries, and the log of attempts

A receiver that is slow or down delays only its own queue: a replica processes eight queues at once, each for about 20
seconds, and the queues that wait take turns. A failed delivery is retried after growing pauses, and given up after
three days.
"""
