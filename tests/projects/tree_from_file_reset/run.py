import json
import sys

sys.path.insert(0, "src")

from pruning import alpha_beta  # noqa: E402

with open("data/tree.json") as file:
    TREE = json.load(file)

if __name__ == "__main__":
    print("value:", alpha_beta(TREE, "root", float("-inf"), float("inf"), True))
