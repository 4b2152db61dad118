"""A tiny web front end: /move?cell=4"""

from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlparse

from engine import TicTacToe

game = TicTacToe()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        cell = int(parse_qs(urlparse(self.path).query)["cell"][0])
        if not game.over() and game.board[cell] == 0:
            game.board[cell] = 1
            if not game.over():
                game.computer_move()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(game.board).encode())


if __name__ == "__main__":
    HTTPServer(("localhost", 8000), Handler).serve_forever()
