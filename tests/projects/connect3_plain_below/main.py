import time

from connect3 import START
from search import alphabeta

began = time.time()
print("value", alphabeta(START, 5), "seconds", time.time() - began)
