"""Runs the app's searches, comparisons and tournaments in worker processes, scheduled fairly between visitors.

a page ──> Job ──> Task ──> fair queue ──> worker process ──> answer in shared memory
           (one visitor)  (shared by equal requests)
"""
