"""A process that reads nothing."""

import time

time.sleep(60)
