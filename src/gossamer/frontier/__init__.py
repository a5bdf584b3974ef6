"""Which request may be sent now? Host queues, pauses, fairness between tasks and the seen set.

Nothing here reads a clock or does I/O: the time is an argument.
"""
