"""Rows of languages that are compiled, in the sandbox, to what is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bots.intake import BUILT
from workers.runtimes.row import BUILD_LIMITS, Runtime
from workers.sandbox.policy import GIB, MIB, Limits

_PROGRAM: Final = f"{{bot}}/{BUILT}/bot"
_GCC_MEMORY: Final = (
    b"out of memory",
    b"memory exhausted",
    b"Cannot allocate memory",
    b"bad_alloc",
    b"Killed signal",
)

C: Final = Runtime(
    language="c",
    programs=("/usr/bin/gcc",),
    package="gcc",
    steps='"$compiler" -std=gnu17 -O2 -fmax-errors=50 -I. -o "$out/bot" "$@" -lm -pthread',
    makes="bot",
    run=(_PROGRAM,),
    limits=Limits(address_space=512 * MIB),
    memory_signs=_GCC_MEMORY,
    version=("/bin/sh", "-c", "echo gcc $({program} -dumpfullversion)"),
    self_test='#include <stdio.h>\nint main(void) { puts("{\\"type\\":\\"ready\\"}"); }\n',
)

CPP: Final = Runtime(
    language="cpp",
    programs=("/usr/bin/g++",),
    package="g++",
    steps='"$compiler" -std=gnu++20 -O2 -fmax-errors=50 -I. -o "$out/bot" "$@" -pthread',
    makes="bot",
    run=(_PROGRAM,),
    limits=Limits(address_space=512 * MIB),
    memory_signs=_GCC_MEMORY,
    version=("/bin/sh", "-c", "echo g++ $({program} -dumpfullversion)"),
    self_test='#include <iostream>\nint main() { std::cout << "{\\"type\\":\\"ready\\"}\\n"; }\n',
)

RUST: Final = Runtime(
    language="rust",
    programs=("/usr/bin/rustc", "/usr/local/bin/rustc"),
    package="rustc",
    steps='"$compiler" --edition 2021 --crate-name bot -O -C strip=symbols -o "$out/bot" "$entry"',
    makes="bot",
    run=(_PROGRAM,),
    limits=Limits(address_space=512 * MIB),
    build_limits=replace(BUILD_LIMITS, address_space=2 * GIB),
    # Older ones find their libraries by asking where they are themselves; there is no other /proc.
    build_links={"/proc/self/exe": "{program}"},
    memory_signs=(b"memory allocation of", *_GCC_MEMORY),
    version=("{program}", "--version"),
    self_test='fn main() { println!("{{\\"type\\":\\"ready\\"}}"); }\n',
)

GO: Final = Runtime(
    language="go",
    programs=("/usr/bin/go", "/usr/local/go/bin/go"),
    package="golang-go",
    steps="""\
export GOCACHE=/tmp/go-cache GOPATH=/tmp/go GOENV=off GOPROXY=off GOTOOLCHAIN=local GO111MODULE=auto
export CGO_ENABLED=0
cd "$(dirname "$entry")"
"$compiler" build -p 1 -buildvcs=false -ldflags="-s -w" -o "$out/bot" .""",
    makes="bot",
    run=(_PROGRAM,),
    limits=Limits(address_space=2 * GIB, processes=48),
    build_limits=replace(BUILD_LIMITS, address_space=4 * GIB, processes=256),
    environment={"GOMAXPROCS": "1", "GOMEMLIMIT": "256MiB"},
    memory_signs=(b"out of memory", b"cannot allocate memory", b"Cannot allocate memory"),
    version=("/bin/sh", "-c", "GOCACHE=/tmp GOENV=off {program} env GOVERSION"),
    self_test='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(`{"type":"ready"}`) }\n',
)

_JVM: Final = (
    "-Xmx256m",
    "-Xss1m",
    "-XX:+UseSerialGC",
    "-XX:ActiveProcessorCount=1",
    "-XX:ReservedCodeCacheSize=48m",
    "-XX:CompressedClassSpaceSize=64m",
    "-XX:-UsePerfData",
    "-Xshare:auto",
)
"""One core and a small heap; what the virtual machine sets aside of its address space, kept small, too."""

JAVA: Final = Runtime(
    language="java",
    programs=("/usr/bin/javac",),
    package="default-jdk-headless",
    steps='"$compiler" '
    + " ".join(f"-J{flag}" for flag in (*_JVM, "-XX:TieredStopAtLevel=1"))
    + ' -encoding UTF-8 -proc:none -cp ".:lib/*" -d "$out" "$@"',
    makes="{stem}.class",
    run=("{home}/bin/java", *_JVM, "-cp", f"{{bot}}/{BUILT}:{{bot}}/lib/*:{{bot}}", "{class}"),
    limits=Limits(address_space=2 * GIB, processes=48),
    build_limits=replace(BUILD_LIMITS, address_space=2 * GIB),
    # Its own libraries are found by /proc/self/exe, or, in a sandbox that has no /proc, by this.
    environment={"LD_LIBRARY_PATH": "{home}/lib"},
    files=("/etc/java-*-openjdk",),
    start_cpu_s=10,
    memory_signs=(b"OutOfMemoryError", b"insufficient memory", b"Could not reserve enough space"),
    version=("{program}", *(f"-J{flag}" for flag in _JVM), "-version"),
    self_test="""\
public class Main {
    public static void main(String[] words) {
        System.out.println("{\\"type\\":\\"ready\\"}");
    }
}
""",
)
