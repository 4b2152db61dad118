"""The types of exercises, one module each. `engine/learning/exercise.py` lists them."""
