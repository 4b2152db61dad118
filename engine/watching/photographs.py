"""What was photographed at a call, read again."""

from typing import Any

import msgspec
import numpy as np


def decoded(photograph: bytes) -> Any:
    """What was photographed, as lists, dicts, numbers and texts; arrays as lists."""
    try:
        return _with_lists(msgspec.msgpack.decode(photograph, strict=False))
    except (msgspec.DecodeError, ValueError):
        return photograph.decode(errors="replace")


def _with_lists(data: Any) -> Any:
    if isinstance(data, list):
        if len(data) == 3 and isinstance(data[2], bytes) and isinstance(data[1], str) and isinstance(data[0], list):
            return np.frombuffer(data[2], dtype=data[1]).reshape(data[0]).tolist()
        return [_with_lists(part) for part in data]
    if isinstance(data, dict):
        return {name: _with_lists(part) for name, part in data.items()}
    return data
