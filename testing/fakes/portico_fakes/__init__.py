"""What stands in for the surroundings of a service: stores and a bus in memory, its neighbours, a clock that stands still.

Owns also the samples of every message and the `*_service` modules, which put one service together with all of it.
Nothing of the product imports it.
"""
