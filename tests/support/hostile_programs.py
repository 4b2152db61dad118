"""Programs that harm their process, their checker or their neighbours: by mistake, by a joke, or on purpose.

Each text runs in the middle of a search. `VICTIM` is the file of another student, `OUTSIDE` a folder next to it.
"""

SEARCH = """
import os, sys, time
VICTIM, OUTSIDE = {victim!r}, {outside!r}
def send(data):
    for fd in range(3, 60):
        try: os.write(fd, data)
        except OSError: pass
def leave():
    import posix
    posix._exit(0)
def harm():
{harm}
def minimax(s, depth):
    if s == 3:
        harm()
    return s if depth == 0 else max(minimax(s + 1, depth - 1), minimax(s + 2, depth - 1))
print(minimax(0, 6))
"""

FILES = {
    "replace": "os.replace(__file__, VICTIM)",
    "rename": "open('x.py', 'w').write('boo'); os.rename('x.py', VICTIM)",
    "move": "import shutil; open('x.py', 'w').write('boo'); shutil.move('x.py', VICTIM)",
    "copy": "import shutil; open('x.py', 'w').write('boo'); shutil.copy('x.py', VICTIM)",
    "link out": "open('x.py', 'w'); os.link('x.py', os.path.join(OUTSIDE, 'new.py'))",
    "link in": "os.link(VICTIM, 'x.py'); open('x.py', 'w').write('boo')",
    "symlink": "os.symlink(VICTIM, 'x.py'); open('x.py', 'w').write('boo')",
    "symlinked folder": "os.symlink(OUTSIDE, 'd'); open('d/new.py', 'w').write('boo')",
    "symlink outside": "os.symlink('x', os.path.join(OUTSIDE, 'new.py'))",
    "link that lies outside": "os.remove(os.path.join(OUTSIDE, 'into_tmp'))",
    "dir_fd": "fd = os.open(OUTSIDE, os.O_RDONLY); os.open('new.py', os.O_CREAT | os.O_WRONLY, dir_fd=fd)",
    "dir_fd and dots": "fd = os.open(os.environ['HOME'], 0); os.remove('../' * 9 + VICTIM, dir_fd=fd)",
    "dir_fd and deep dots": "os.makedirs('a/b/c/d'); f = os.open('.', 0); os.chdir('a/b/c/d'); os.open('../../..', 0, dir_fd=f)",
    "dir_fd and a link": "os.mkdir('d'); os.symlink(VICTIM, 'd/l'); os.open('l', os.O_WRONLY, dir_fd=os.open('d', 0))",
    "moved link": "os.makedirs('d/e'); os.symlink('../../..', 'd/e/l'); os.rename('d/e/l', 'l'); open('l/new.py', 'w')",
    "dir_fd rename": "open('x.py', 'w'); os.rename('x.py', '../../new.py', dst_dir_fd=os.open('.', 0))",
    "chdir": "os.chdir(OUTSIDE); open('new.py', 'w').write('boo')",
    "sqlite": "import sqlite3; sqlite3.connect(os.path.join(OUTSIDE, 'new.py')).execute('create table t (a)')",
    "sqlite attach": "import sqlite3; sqlite3.connect(':memory:').execute('attach ? as y', [os.path.join(OUTSIDE, 'new.py')])",
    "dbm": "import dbm.gnu; dbm.gnu.open(os.path.join(OUTSIDE, 'new.py'), 'n')",
    "name that begins alike": "folder = os.environ['HOME'] + 'x'; os.mkdir(folder)",
    "begins like null": "open('/dev/null-and-more', 'w').write('boo')",
    "truncate": "os.truncate(VICTIM, 0)",
    "chmod": "os.chmod(VICTIM, 0)",
    "fchmod": "os.fchmod(os.open(VICTIM, 0), 0)",
    "utime of an open file": "os.utime(os.open(VICTIM, 0), (1, 1))",
    "by its number": "open(f'/proc/self/fd/{os.open(VICTIM, 0)}', 'w').write('boo')",
    "utime": "os.utime(VICTIM, (1, 1))",
    "remove": "os.remove(VICTIM)",
    "rmtree": "import shutil; shutil.rmtree(OUTSIDE)",
    "fifo": "os.mkfifo(os.path.join(OUTSIDE, 'new.py'))",
    "posix fifo": "import posix; posix.mkfifo(os.path.join(OUTSIDE, 'new.py'))",
    "bytes and pathlib": "import pathlib; pathlib.Path(VICTIM).write_bytes(b'boo')",
    "mmap": "import mmap; mmap.mmap(os.open(VICTIM, os.O_RDWR), 1)[0] = 0",
    "tarfile": "import tarfile; tarfile.open(os.path.join(OUTSIDE, 'new.py'), 'w')",
}
PROCESSES = {
    "killpg": "os.killpg(0, 9)",
    "kill parent": "os.kill(os.getppid(), 9)",
    "kill all": "os.kill(-1, 15)",
    "kill itself": "import signal; signal.raise_signal(9)",
    "segmentation fault": "import ctypes; ctypes.string_at(0)",
    "abort": "os.abort()",
    "prlimit": "import resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "priority": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "fork bomb": "while True: os.fork()",
    "fork_exec": "import _posixsubprocess; _posixsubprocess.fork_exec()",
    "multiprocessing": "import multiprocessing.shared_memory as m; m.SharedMemory(create=True, size=10 ** 9)",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "endless thread": "import _thread; _thread.start_new_thread(lambda: [1 for _ in iter(int, 1)], ())",
    "many threads": "import _thread\n    while True: _thread.start_new_thread(time.monotonic, ())",
    "atexit": "import atexit; atexit.register(lambda: [1 for _ in iter(int, 1)])",
    "exit": "sys.exit('bye')",
    "_exit": "leave()",
    "close all": "os.closerange(0, 100)",
}
PIPES = {
    "garbage on all pipes": "send(b'\\xc1garbage' * 100)",
    "garbage and out": "send(b'\\x81\\xa6failed\\xc0'); leave()",
    "half an answer": "send(b'\\x81\\xa6failed\\xdb\\xff\\xff\\xff\\xff'); leave()",
    "not UTF-8": "send(b'\\x81\\xa6failed\\xa2\\xff\\xfe'); leave()",
    "deep": "send(b'\\x81\\xa5tried' + b'\\x91' * 10 ** 5); leave()",
    "rows that lie": "import msgspec; from engine.checker.recording import wire_format\n"
    "    from engine.checker.sandbox import worker_protocol\n"
    "    lie = worker_protocol.Answer(functions=['x'], rows=wire_format.CompressedCalls(9, *[b'x'] * 8, 3))\n"
    "    send(msgspec.msgpack.encode(lie)); leave()",
    "failed, with rows that lie": "import msgspec; from engine.checker.recording import wire_format\n"
    "    from engine.checker.sandbox import worker_protocol\n"
    "    lie = worker_protocol.Answer(failed='no', rows=wire_format.CompressedCalls(9, *[b'x'] * 8, 3))\n"
    "    send(msgspec.msgpack.encode(lie)); leave()",
    "finding that is nowhere": "import msgspec; from engine.checker import verdict\n"
    "    from engine.checker.sandbox import worker_protocol\n"
    "    lie = worker_protocol.Answer(findings=[verdict.Finding('x', True, 10 ** 9, -1, 'y')] * 9)\n"
    "    send(msgspec.msgpack.encode(lie)); leave()",
    "flood": "while True: send(b'x' * 10 ** 6)",
    "print for ever": "while True: print('x' * 10 ** 6)",
    "to the real output": "while True: sys.__stdout__.write('x' * 10 ** 6); sys.__stderr__.write('y' * 10 ** 6)",
}
LIMITS = {
    "long sum in C": "sum(range(10 ** 12))",
    "long sort in C": "max(iter(int, 1))",
    "catastrophic pattern": "import re; re.match('(a+)+$', 'a' * 50 + 'b')",
    "huge power": "10 ** 10 ** 9",
    "ignores all": "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    "raises its limit": "import resource as r; r.setrlimit(r.RLIMIT_AS, (r.RLIM_INFINITY,) * 2); bytearray(8 * 10 ** 9)",
    "memory": "bytearray(5 * 10 ** 9)",
    "disk": "f = open('x', 'wb')\n    while True: f.write(b'x' * 10 ** 6)",
    "disk in many files": "for n in range(10 ** 6): open(f'x{n}', 'wb').write(b'x' * 10 ** 6)",
    "many folders": "while True: os.mkdir('d'); os.chdir('d')",
    "memfd": "fd = os.memfd_create('x')\n    while True: os.write(fd, b'x' * 10 ** 6)",
    "recursion": "harm()",
    "endless error": "raise ValueError('x' * 10 ** 8)",
    "endless repr": "class E(Exception):\n        def __str__(self): return self.__str__()\n    raise E",
}
NETWORK = {
    "udp sendmsg": "import socket as s; s.socket(s.AF_INET, s.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', 9))",
    "udp connect": "import _socket; _socket.socket(2, 2).connect(('127.0.0.1', 9))",
    "gethostbyname": "import socket; socket.gethostbyname('example.org')",
    "gethostbyname_ex": "import socket; socket.gethostbyname_ex('example.org')",
    "gethostbyaddr": "import socket; socket.gethostbyaddr('127.0.0.1')",
    "getnameinfo": "import socket; socket.getnameinfo(('127.0.0.1', 80), 0)",
    "getfqdn": "import socket; socket.getfqdn('127.0.0.1')",
    "unix socket": "import socket; socket.socket(socket.AF_UNIX).connect('/tmp/x')",
    "urllib": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1')",
}
GAMES = {  # with the watcher itself
    "settrace": "sys.settrace(lambda *a: 1 / 0)",
    "setprofile": "import threading; threading.setprofile(lambda *a: sys.exit()); sys.setprofile(lambda *a: 1 / 0)",
    "builtins": "import builtins; builtins.isinstance = builtins.len = builtins.max = builtins.open = lambda *a: 1 / 0",
    "builtins gone": "import builtins; vars(builtins).clear()",
    "modules gone": "sys.modules.clear()",
    "modules replaced": "import json, msgspec; msgspec.msgpack.encode = lambda *a: b'boo'",
    "own audit hook": "sys.addaudithook(lambda *a: 1 / 0)",
    "deletes its folder": "import shutil; shutil.rmtree(os.environ['HOME'])",
    "no rights in its folder": "os.mkdir('d'); open('d/x', 'w'); os.chmod('d', 0)",
    "file names that are not UTF-8": "open(b'\\xff\\xfe', 'w').write('x'); os.mkdir(b'\\xffd')",
    "prints half characters": "print('\\ud800\\udfff'); raise ValueError('\\udcff')",
    "terminal escapes": "print('\\x1b]0;boo\\x07\\x1b[2J'); raise ValueError('\\x1b[31m[/red] :smile: \\x9b2J\\r\\n')",
    "braces": "raise ValueError('{seconds} {0} %s')",
    "strange error": "raise type('\\x1b[1m[/]', (Exception,), {})()",
    "gc": "import gc; gc.freeze(); gc.set_threshold(1)",
    "recursion limit": "sys.setrecursionlimit(5)",
    "signals": "import signal; signal.alarm(1)",
    "timers": "import faulthandler; faulthandler.cancel_dump_traceback_later()",
    "frames": "f = sys._getframe()\n    while f: f.f_globals.clear(); f = f.f_back",
    "SystemExit without end": "raise SystemExit(type('X', (), {'__repr__': lambda self: 1 / 0})())",
}
FORGED_SEARCH = """
import os, sys
def send(data):
    for fd in range(3, 60):
        try: os.write(fd, data)
        except OSError: pass
def harm():
{harm}
def minimax(n, maximizing):
    if n <= 0:
        return -1 if maximizing else 1
    values = [minimax(n - take, not maximizing) for take in (1, 2) if take <= n]
    if n == 7:
        harm()
    return max(values)
print(minimax(7, True))
"""
FORGERIES = {  # each wants a good verdict for a wrong program
    "forges the answer": "import posix, msgspec, numpy as np; from engine.checker.recording import wire_format as w\n"
    "    from engine.checker.sandbox.worker_protocol import Answer, encode_message\n"
    "    n = np.arange(9) > 0; rows = w.compress_columns(w.CallColumns(n, n * 0, n * 0, n * 0 + 2, n, n * 0, n, ['x']))\n"
    "    send(encode_message(Answer(functions=['minimax'], score='result', rows=rows, looked_at=['all'])))\n"
    "    posix._exit(0)",
    "patches the watcher": "from engine.checker.recording import call_snapshots as c\n"
    "    c.CallSnapshots.add_result = lambda *_: None",
    "patches the judge": "from engine.checker.diagnosis import judge; from engine.checker import judging as a\n"
    "    a.judge_search = lambda *_: judge.Judgement(['minimax'], [], ['all'], [])",
    "changes the code of the judge": "from engine.checker.diagnosis import judge\n"
    "    judge._merge_suspicions.__code__ = (lambda search, seen, strong: []).__code__",
    "takes the rules away": "from engine.checker.diagnosis import judge; judge.CHECKS = ()",
    "takes the proofs away": "from engine.checker.experiments import proofs; proofs.PROVERS.clear()",
    "patches the findings": "from engine.checker import verdict; verdict.Finding.certain = property(lambda self: False)",
    "patches the main module": "import __main__ as m; old = m.encode_message\n"
    "    m.encode_message = lambda report: (report.observations.clear(), old(report))[1]",
    "patches a library": "import msgspec; old = msgspec.msgpack.encode\n"
    "    msgspec.msgpack.encode = lambda sent: (getattr(sent, 'observations', []).clear(), old(sent))[1]",
    "notes nothing": "from engine.checker.recording import observations as o; o.Noting.ask = lambda self, name, make: make()",
    "forgets what was noted": "from engine.checker.recording import observations as o\n"
    "    if o._ACTIVE: o._ACTIVE[-1].noted.clear()",
    "notes something else": "from engine.checker.recording import observations as o; nothing = o.encode_value(None)\n"
    "    for number, one in enumerate(o._ACTIVE[-1].noted if o._ACTIVE else []):\n"
    "        o._ACTIVE[-1].noted[number] = o.Observation(one.name, nothing)",
    "ends the judgement": "from engine.checker.recording import observations as o\n    if o._ACTIVE: raise o.EndOfObservations",
    "wakes the other judge": "from engine.checker.recording import observations as o; import time\n"
    "    if o._ACTIVE: o._ACTIVE.append(o.Reading([], time.monotonic() + 9))",
    "hides a name": "from engine.checker.diagnosis import judge; judge.sorted = lambda *_, **__: []",
    "looks for the key": "import gc; found = [one for one in gc.get_objects() if type(one) is bytes and len(one) == 32]",
    "looks at all frames": "frames = sys._current_frames().values(); [f.f_locals['key'] for f in frames if 'key' in f.f_locals]",
    "reads its memory": "memory = open('/proc/self/mem', 'rb'); memory.seek(0x400000); memory.read(9)",
}
UNJUDGED_SEARCH = """
import random, sys
RECORDED = [False]
def score(value):
    return {score}
def minimax(n, maximizing):
    if n <= 0:
        return score(-1 if maximizing else 1)
    values = [minimax(n - take, not maximizing) for take in (1, 2) if take <= n]
    is_experiment = RECORDED[0] or max(values) not in (-1, 1)
    {harm}
    return max(values)
print(minimax(7, True))
RECORDED[0] = True
"""
EVASIONS = {  # each wants that nothing can be judged, so that nothing wrong is found: the score of a leaf, and what a call does
    "no number": ("float('nan') * value", "pass"),
    "a number that is too large": ("value * 10 ** 400", "pass"),
    "chance": ("value", "random.shuffle(values); return values[0]"),
    "an endless experiment": ("value", "while is_experiment: pass"),
    "an interrupt": ("value", "if is_experiment: raise KeyboardInterrupt"),
    "the end of the process": ("value", "if is_experiment: sys.exit()"),
    "chosen scores are noticed": (
        "value",
        "if max(values) not in (-1, 1): return max(values) if maximizing else min(values)",
    ),
    "an error without a text": (
        "value",
        "if is_experiment: raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})",
    ),
    "experiments that seem to fail": (
        "value",
        "above = [sys._getframe(level) for level in range(8 if is_experiment else 0)]\n"
        "    for found in [f.f_locals['outcome'] for f in above if 'outcome' in f.f_locals]: found.failed = 'x'",
    ),
}
ALL = FILES | PROCESSES | PIPES | LIMITS | NETWORK | GAMES


def source(harm: str, victim: object, outside: object) -> str:
    """Return a program that does this harm in the middle of its search."""
    return SEARCH.format(victim=str(victim), outside=str(outside), harm="    " + harm)


def forgery(harm: str) -> str:
    """Return a wrong program that tries to get a good verdict."""
    return FORGED_SEARCH.format(harm="    " + harm)


def evasion(score: str, harm: str) -> str:
    """Return a wrong program that tries not to be judged."""
    return UNJUDGED_SEARCH.format(score=score, harm=harm)
