"""A board as the browser reads it (`assets/board.js`)."""

from typing import Any

from engine.games.boards import Board


def board_json(board: Board) -> dict[str, Any]:
    """What stands where, and how it is drawn."""
    return board._asdict() | {"pieces": [piece._asdict() for piece in board.pieces], "cells": [int(cell) for cell in board.cells]}
