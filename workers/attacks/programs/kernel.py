"""Makes each system call that could lead out, or that is kept away from strangers. Numbers are x86_64's.

Each must be refused as such. An error that speaks of the arguments says that the kernel looked at them.
"""

import ctypes
import os

from attacker import once, refused, syscall

PAGE = ctypes.create_string_buffer(4096)
"""Zeros for whatever a call wants to read or write."""

CALLS = {
    "ptrace attach": (101, 16, 1, 0, 0),
    "ptrace traceme": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 1, PAGE, 1, PAGE, 1, 0),
    "process_vm_writev": (311, 1, PAGE, 1, PAGE, 1, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "pidfd_open": (434, 1, 0),
    "pidfd_getfd": (438, 0, 0, 0),
    "process_madvise": (440, 0, PAGE, 1, 4, 0),
    "add_key": (248, b"user", b"haunt", b"x", 1, -3),
    "request_key": (249, b"user", b"haunt", 0, -3),
    "keyctl": (250, 0, -3, 0),
    "unshare user": (272, 0x10000000),
    "unshare network": (272, 0x40000000),
    "unshare mounts": (272, 0x20000),
    "clone into a user namespace": (56, 0x10000000 | 17, 0, 0, 0, 0),
    "clone into a pid namespace": (56, 0x20000000 | 17, 0, 0, 0, 0),
    "clone3": (435, PAGE, 64),
    "setns": (308, 0, 0),
    "mount": (165, b"none", b"/tmp", b"tmpfs", 0, 0),
    "umount": (166, b"/tmp", 0),
    "move_mount": (429, -100, b"/tmp", -100, b"/", 0),
    "open_tree": (428, -100, b"/", 1),
    "fsopen": (430, b"tmpfs", 0),
    "pivot_root": (155, b"/", b"/tmp"),
    "chroot": (161, b"/tmp"),
    "sethostname": (170, b"x", 1),
    "mknod": (133, b"/tmp/disk", 0o60666, 0x800),
    "name_to_handle_at": (303, -100, b"/", PAGE, PAGE, 0),
    "open_by_handle_at": (304, -100, PAGE, 0),
    "io_uring_setup": (425, 4, PAGE),
    "perf_event_open": (298, PAGE, 0, -1, -1, 0),
    "bpf": (321, 0, PAGE, 72),
    "userfaultfd": (323, 0),
    "personality": (135, 0x0040000),
    "memfd_create": (319, b"x", 0),
    "memfd_secret": (447, 0),
    "vmsplice": (278, 1, PAGE, 1, 0),
    "splice": (275, 0, 0, 1, 0, 16, 0),
    "tee": (276, 0, 1, 16, 0),
    "syslog": (103, 3, PAGE, 100),
    "fanotify_init": (300, 0, 0),
    "inotify_init1": (294, 0),
    "iopl": (172, 3),
    "ioperm": (173, 0, 10, 1),
    "modify_ldt": (154, 0, PAGE, 64),
    "sysinfo": (99, PAGE),
    "mincore": (27, 0, 4096, PAGE),
    "preadv2": (327, 0, PAGE, 1, 0, 0, 8),
    "cachestat": (451, 0, PAGE, PAGE, 0),
    "sched_setscheduler": (144, 0, 1, PAGE),
    "sched_setaffinity": (203, 0, 8, PAGE),
    "move_pages": (279, 0, 0, 0, 0, 0, 0),
    "mbind": (237, 0, 4096, 0, 0, 0, 0),
    "quotactl": (179, 0, 0, 0, 0),
    "swapon": (167, b"/tmp/x", 0),
    "acct": (163, b"/tmp/x"),
    "init_module": (175, PAGE, 1, b""),
    "kexec_load": (246, 0, 0, 0, 0),
    "settimeofday": (164, PAGE, 0),
    "setxattr": (188, b"/tmp", b"user.x", b"x", 1, 0),
    "a terminal's input": (16, 0, 0x5412, b"x"),
    "a terminal's input, by a longer number": (16, 0, 0x5412 | 1 << 32, b"x"),
    "a console's selection": (16, 0, 0x541C, b"x"),
    "a lease on a file": (72, 0, 1024, 0),
    "a notice of changes": (72, 0, 1026, 1),
    "a core of its own": (157, 62, 1, 0, 0, 0),
    "merging of pages": (157, 67, 1, 0, 0, 0),
    "merging of these pages": (28, 0, 0, 12),
    "the map of its memory": (157, 35, 1, 0, 0, 0),
    "the processor's counter": (157, 26, 2, 0, 0, 0),
    "the processor's guesses": (157, 53, 0, 2, 0, 0),
    "a call that there is not": (999, 0, 0),
}


def attack():
    me = os.getpid()
    for name, words in CALLS.items():
        refused(name, lambda: syscall(*words))
        if os.getpid() != me:
            os._exit(0)


once(attack)
