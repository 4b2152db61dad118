"""Programs that try to get out of their process. Most of them call C, which Python's audit events do not see.

Each attempt is a text that raises if it is refused. Many run in one worker: `write_program` joins them.
"""

TOOLS = """
import ctypes, errno, mmap, os, resource, signal, socket, struct, sys, threading, time
GIVEN = {given!r}
SECRET, OUTSIDE, PARENT = GIVEN["secret"], GIVEN["outside"], GIVEN["parent"]
libc = ctypes.CDLL(None, use_errno=True)
MACHINE = os.uname().machine == "aarch64"
def done(result):
    if result in (-1, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def call(name, *arguments):
    return done(getattr(libc, name)(*arguments))
def kernel(numbers, *arguments):
    return done(libc.syscall(ctypes.c_long(numbers[MACHINE]), *arguments))
def read_c(path):
    fd = call("open", path.encode(), os.O_RDONLY)
    text = ctypes.create_string_buffer(1000)
    libc.read(fd, text, 999)
    print("GOT", text.value)
def write_c(path):
    fd = call("open", path.encode(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    libc.write(fd, b"boo", 3)
def send_c(family, kind, address):
    fd = call("socket", family, kind, 0)
    content = ctypes.create_string_buffer(address, len(address))
    libc.connect(fd, content, len(address))
    libc.sendto(fd, b"boo", 3, 0, content, len(address))
def in_child(pid):
    if pid == 0:
        write_c(os.environ["HOME"] + "/started")
        libc._exit(0)
"""
ATTEMPTS = """
def attempt(text):
    try:
        exec(text, globals())
    except BaseException as error:
        return type(error).__name__ + ": " + str(error)[:100]
    return "worked"
def attempt_all():
    for name, text in {attempts!r}.items():
        print("|" + name + "|" + attempt(text) + "|", flush=True)
attempt_all()
"""
SEARCH = """
def minimax(n, maximizing):
    {harm}
    if n <= 0:
        return -1 if maximizing else 1
    values = [minimax(n - take, not maximizing) for take in (1, 2) if take <= n]
    return max(values) if maximizing else min(values)
print(minimax(5, True))
"""

FILES = {
    "reads the home folder": "os.listdir(GIVEN['home'])",
    "reads a key": "print('GOT', open(GIVEN['home'] + '/.ssh/id_rsa').read())",
    "reads a key by C": "read_c(GIVEN['home'] + '/.ssh/id_rsa')",
    "reads the users": "read_c('/etc/passwd')",
    "reads another visitor's program": "read_c(GIVEN['neighbour'])",
    "lists the temporary folder": "os.listdir(os.path.dirname(os.environ['HOME']))",
    "reads the memory of its parent": "read_c(f'/proc/{PARENT}/mem')",
    "reads the variables of its parent": "read_c(f'/proc/{PARENT}/environ')",
    "reads the files of its parent": "os.listdir(f'/proc/{PARENT}/fd')",
    "reads through its own root": "read_c('/proc/self/root' + SECRET)",
    "reads through a symlink": "os.chdir(os.environ['HOME']); call('symlink', SECRET.encode(), b'out'); read_c('out')",
    "reads through a path handle": "fd = call('open', SECRET.encode(), os.O_PATH); read_c(f'/proc/self/fd/{fd}')",
    "reads beside a folder handle": "fd = call('open', OUTSIDE.encode(), os.O_PATH); call('openat', fd, b'secret.txt', 0)",
    "reads by a file handle": "kernel((304, 265), -100, ctypes.create_string_buffer(200), 0)",
    "maps a file": "fd = os.open(SECRET, os.O_RDONLY); print('GOT', mmap.mmap(fd, 0, prot=mmap.PROT_READ)[:])",
    "writes elsewhere": "write_c(OUTSIDE + '/new.txt')",
    "overwrites a file": "write_c(SECRET)",
    "empties a file while reading": "call('open', SECRET.encode(), os.O_RDONLY | os.O_TRUNC)",
    "truncates a file": "call('truncate', SECRET.encode(), ctypes.c_long(0))",
    "removes a file": "call('unlink', SECRET.encode())",
    "renames a file": "call('rename', SECRET.encode(), (OUTSIDE + '/x').encode())",
    "moves a file in": "call('rename', SECRET.encode(), (os.environ['HOME'] + '/x').encode())",
    "moves a file out": "write_c(os.environ['HOME'] + '/x'); call('rename', b'x', (OUTSIDE + '/x').encode())",
    "links a file in": "call('link', SECRET.encode(), (os.environ['HOME'] + '/hard').encode())",
    "links a file out": "write_c(os.environ['HOME'] + '/y'); call('link', b'y', (OUTSIDE + '/y').encode())",
    "makes a symlink outside": "call('symlink', b'/etc/passwd', (OUTSIDE + '/s').encode())",
    "makes a folder outside": "call('mkdir', (OUTSIDE + '/d').encode(), 0o700)",
    "changes rights": "call('chmod', SECRET.encode(), 0o777)",
    "changes the owner": "call('chown', SECRET.encode(), 1, 1)",
    "changes times": "call('utimes', SECRET.encode(), None)",
    "changes attributes": "call('setxattr', SECRET.encode(), b'user.x', b'1', ctypes.c_long(1), 0)",
    "makes a pipe with a name": "call('mkfifo', (os.environ['HOME'] + '/fifo').encode(), 0o600)",
    "writes into Python's library": "write_c(os.path.dirname(os.__file__) + '/plyscope_canary.py')",
    "writes into the checker": "write_c(GIVEN['engine'] + '/plyscope_canary.py')",
    "watches a folder": "fd = call('inotify_init'); call('inotify_add_watch', fd, OUTSIDE.encode(), 0xfff)",
    "uses /dev/shm": "write_c('/dev/shm/plyscope_canary')",
    "uses shared memory": "from multiprocessing.shared_memory import SharedMemory; SharedMemory('plyscope_canary', True, 100)",
    "uses shared memory by C": "call('shm_open', b'/plyscope_canary', os.O_CREAT | os.O_RDWR, 0o600)",
    "uses a segment of shared memory": "call('shmget', 77, ctypes.c_long(100), 0o1600)",
    "uses a message queue": "call('mq_open', b'/plyscope_canary', os.O_CREAT | os.O_RDWR, 0o600, None)",
    "uses memory without a name": "call('memfd_create', b'x', 0)",
    "opens the terminal": "call('open', b'/dev/tty', os.O_RDWR)",
    "opens by a newer call": "kernel((437, 437), -100, SECRET.encode(), ctypes.create_string_buffer(24), 24)",
    "reads through a symlink to its memory": "call('symlink', b'/proc/self/mem', b'memory'); call('open', b'memory', os.O_RDWR)",
    "waits for others to open a file": "fd = call('open', os.__file__.encode(), 0); call('fcntl', fd, 1024, 0)",
    "is told of files in a folder": "fd = call('open', os.environ['HOME'].encode(), os.O_DIRECTORY); call('fcntl', fd, 1026, 7)",
    "changes where crashes are written": "write_c('/proc/sys/kernel/core_pattern')",
}
SOCKETS = {
    "connects": "send_c(2, 1, GIVEN['tcp'])",
    "connects by IPv6": "send_c(10, 1, GIVEN['tcp6'])",
    "sends a datagram": "send_c(2, 2, GIVEN['udp'])",
    "connects to a local socket": "send_c(1, 1, GIVEN['unix'])",
    "connects to an abstract socket": "send_c(1, 1, GIVEN['abstract'])",
    "sends a local datagram": "send_c(1, 2, GIVEN['unix'])",
    "makes a pair of sockets": "call('socketpair', 1, 2, 0, ctypes.create_string_buffer(8))",
    "listens": "call('socket', 2, 1, 0)",
    "talks to the kernel": "call('socket', 16, 3, 0)",
    "reads packets": "call('socket', 17, 3, 0)",
    "makes raw packets": "call('socket', 2, 3, 1)",
    "talks to virtual machines": "call('socket', 40, 1, 0)",
    "uses Python's sockets": "socket.create_connection(('127.0.0.1', GIVEN['port']), 1).send(b'boo')",
}
PROCESSES = {
    "forks": "in_child(call('fork'))",
    "forks by Python": "in_child(os.fork())",
    "forks by clone": "in_child(kernel((56, 220), 17, 0, 0, 0, 0))",
    "forks by clone3": "in_child(kernel((435, 435), (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17), 88))",
    "forks by vfork": "kernel((58, 220), 0x4111, 0, 0, 0, 0)",
    "executes": "call('execv', b'/bin/true', (ctypes.c_char_p * 2)(b'true', None))",
    "executes from memory": "kernel((322, 281), 1, b'', None, None, 0x1000)",
    "spawns": "os.posix_spawn('/bin/touch', ['touch', os.environ['HOME'] + '/started'], {})",
    "spawns by C": "code = libc.posix_spawn(ctypes.create_string_buffer(8), b'/bin/true', None, None, "
    "(ctypes.c_char_p * 2)(b'true', None), None); ctypes.set_errno(code); done(-1 if code else 0)",
    "uses subprocess": "from subprocess import run; run(['touch', os.environ['HOME'] + '/started'])",
    "uses fork_exec": "import importlib, _posixsubprocess; importlib.reload(_posixsubprocess).fork_exec(['/bin/true'], "
    "[b'/bin/true'], True, (), None, [], -1, -1, -1, -1, -1, -1, -1, -1, False, False, 0, None, None, None, -1, None, False)",
    "uses the shell": "done(-1 if libc.system(b'true') else 0)",
    "kills its parent": "call('kill', PARENT, 9)",
    "kills every process": "call('kill', -1, 9)",
    "kills its group": "call('kill', 0, 9)",
    "kills a thread of its parent": "kernel((234, 131), PARENT, PARENT, 9)",
    "kills a thread by its number": "kernel((200, 130), PARENT, 9)",
    "kills through a handle": "kernel((434, 434), PARENT, 0)",
    "sends a signal with a value": "call('sigqueue', PARENT, 9, None)",
    "sends a signal by a file": "fd = os.open('/dev/null', 0); call('fcntl', fd, 8, PARENT)",
    "traces its parent": "ctypes.set_errno(0); call('ptrace', 16, PARENT, None, None)",
    "reads its parent's memory": "kernel((310, 270), PARENT, None, 0, None, 0, 0)",
    "limits its parent": "call('prlimit', PARENT, 7, (ctypes.c_uint64 * 2)(3, 3), None)",
    "slows its parent": "call('setpriority', 0, PARENT, 19)",
    "leaves its session": "call('setsid')",
    "takes a file of its parent": "kernel((438, 438), 3, 0, 0)",
    "compares itself with its parent": "kernel((312, 272), PARENT, os.getpid(), 0, 0, 0)",
    "writes its parent's memory": "kernel((311, 271), PARENT, None, 0, None, 0, 0)",
    "types into its terminal": "[call('ioctl', fd, 0x5412, b'x') for fd in range(20)]",
    "sends signals when a file is ready": "[call('ioctl', fd, 0x5452, b'1234') for fd in range(3, 9)]",
    "forks by other numbers of the calls": "in_child(kernel((0x40000000 | 57, 0x40000000 | 220), 17, 0, 0, 0, 0))",
    "moves pages of memory through a pipe": "r, w = os.pipe(); kernel((278, 75), w, None, 0, 0)",
    "chooses its processors": "call('sched_setaffinity', 0, ctypes.c_size_t(8), b'1' * 8)",
    "raises its priority": "call('setpriority', 0, 0, -20)",
}
KERNEL = {
    "makes a namespace": "call('unshare', 1 << 28)",
    "mounts": "call('mount', b'x', OUTSIDE.encode(), b'tmpfs', ctypes.c_long(0), None)",
    "changes its root": "call('chroot', OUTSIDE.encode())",
    "uses io_uring": "kernel((425, 425), 8, ctypes.create_string_buffer(200))",
    "loads a program into the kernel": "kernel((321, 280), 0, ctypes.create_string_buffer(100), 72)",
    "uses keys": "kernel((250, 219), 0, -3, 1)",
    "catches page faults": "kernel((323, 282), 0)",
    "measures the kernel": "kernel((298, 241), ctypes.create_string_buffer(128), 0, -1, -1, 0)",
    "changes its user": "call('setuid', 1)",
    "asks for rights": "kernel((126, 91), struct.pack('Ii', 0x20080522, 0), b'\\xff' * 24)",
    "becomes traceable": "call('prctl', 4, 1, 0, 0, 0)",
    "outlives its parent": "call('prctl', 1, 0, 0, 0, 0)",
    "locks memory": "call('mlockall', 3)",
    "takes the barrier down": "kernel((317, 277), 0, 0, None)",
    "raises its memory limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "raises its limits by C": "call('setrlimit', 9, (ctypes.c_uint64 * 2)(2 ** 63, 2 ** 63))",
    "raises its file size": "call('setrlimit', 1, (ctypes.c_uint64 * 2)(2 ** 40, 2 ** 40))",
    "builds a file system": "kernel((430, 430), b'tmpfs', 0)",
    "opens a tree of mounts": "kernel((428, 428), -100, b'/', 1)",
    "reads the kernel's messages": "kernel((103, 116), 3, ctypes.create_string_buffer(100), 100)",
    "changes its kind of process": "call('personality', ctypes.c_ulong(0x0040000))",
    "adds a key": "kernel((248, 217), b'user', b'x', b'y', 1, -3)",
    "uses the clock": "call('settimeofday', struct.pack('qq', 1, 0), None)",
}
WITHOUT_EFFECT = {"changes rights", "changes times"}  # they seem to work


FINAL = {  # texts that end the run: each has a worker of its own, and the words of its report
    "fills memory": ("(lambda kept: [kept.append(bytearray(50_000_000)) for _ in iter(int, 1)])([])", "memory"),
    "fills memory by C": ("while True: libc.memset(call('malloc', ctypes.c_size_t(1 << 26)), 1, 1 << 26)", ""),
    "fills the disk": ("for n in range(1000): open(f'f{n}', 'wb').write(bytes(8 << 20))", "writes more than 256 MB"),
    "hides a disk full of files deep below": (
        "for n in range(40): call('mkdir', b'd' * 200, 0o700), call('chdir', b'd' * 200)\n"
        "for n in range(60): call('write', call('open', b'%d' % n, os.O_WRONLY | os.O_CREAT, 0o600), bytes(8 << 20), 8 << 20)\n"
        "libc.sleep(9)",
        "too many folders in each other",
    ),
    "nests folders": ("while True: call('mkdir', b'd', 0o700), call('chdir', b'd')", "too many folders in each other"),
    "makes calls of another processor": (
        "code = mmap.mmap(-1, 4096, prot=7)\ncode.write(bytes.fromhex('b802000000cd80c3'))\n"
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()",
        "signal",
    ),
    "writes one large file": ("open('f', 'wb').write(bytes(100 << 20))", "File too large"),
    "sleeps": ("libc.sleep(1000)", "was stopped after"),
    "starts threads": (
        "import _thread; threading.stack_size(1 << 16)\nfor n in range(500): _thread.start_new_thread(time.sleep, (9,))\n"
        "libc.sleep(9)",
        "thread",
    ),
    "kills itself": ("call('kill', os.getpid(), 9)", "signal 9"),
    "floods its errors": ("while True: libc.write(5, bytes(1 << 20), 1 << 20)", "sends more than"),
    "floods its answer": ("while True:\n    for fd in range(3, 20): libc.write(fd, bytes(1 << 20), 1 << 20)", "sends more than"),
}


def write_attempts(attempts, given):
    """Return a program that makes these attempts and then searches."""
    return TOOLS.format(given=given) + ATTEMPTS.format(attempts=attempts) + SEARCH.format(harm="pass")


def write_search(harm, given):
    """Return a program whose search does harm in every call."""
    return TOOLS.format(given=given) + SEARCH.format(harm=f"exec({harm!r}, globals())")
