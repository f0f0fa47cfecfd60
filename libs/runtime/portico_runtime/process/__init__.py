"""What every process has: clock, health, logs, metrics of its stores, work in the background, and little memory.

It imports nothing else of the runtime.
"""
