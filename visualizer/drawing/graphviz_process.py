"""The Graphviz process: reads DOT and writes a picture. It is a program of its own, because Graphviz may crash or never end.

Run as a file, `python graphviz_process.py png 192 dot`, with DOT on standard input; the picture goes to standard output.
"""

import sys

MAX_PAGE_INCHES = "190,190"  # inches: readers of PDF take 200 at most; smaller pictures are not enlarged


def main() -> None:
    import pygraphviz

    graph = pygraphviz.AGraph(sys.stdin.buffer.read().decode())
    if sys.argv[1] == "png":
        graph.graph_attr["dpi"] = sys.argv[2]
    if sys.argv[1] == "pdf":
        graph.graph_attr["size"] = MAX_PAGE_INCHES
    sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=sys.argv[3]))


if __name__ == "__main__":
    main()
