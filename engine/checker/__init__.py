"""Check a student's program: find its search, run it in a sandbox, record every call, and diagnose mistakes.

The folders are in order of execution: `discovery`, `sandbox`, `recording`, `diagnosis`. Start with `check.py`.
"""
