"""Where the app's searches, comparisons and tournaments are worked on: in processes of their own, one kind visitor after another.

a page ──> Job ──> Task ──> fair queue ──> worker process ──> answer in shared memory
           (one visitor)  (shared by all who ask the same)
"""
