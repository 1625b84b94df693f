#!/usr/bin/python3
"""Compare layoutcalc's re-layout with NumPy's and PyTorch's in memory, and with cp from file to file.

In memory, every library copies a transposed view into an array that exists already; layoutcalc's figures
come from `go test -bench Move ./layout/relayout`. From file to file, the programs take turns, and each
writes a new file. GB/s counts every byte once, as bytes that are written. Needs NumPy; what else is missing
is left out with a note; files need a Unix system. Where a file system shares blocks, cp copies nothing. The
whole takes less than two minutes.
"""
import argparse
import functools
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import typing
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
CASE_SECONDS = 4  # rounds of one case in memory end after this time
FILE_SECONDS = 35  # rounds from file to file end after this time
BATCH_SECONDS = 0.01  # calls shorter than this are timed several together


def note(text):
    print("note:", text, file=sys.stderr)


# ---- in memory ----


class Case(typing.NamedTuple):
    name: str
    bench: str  # how the name of the Go benchmark begins
    sizes: tuple  # of the source, in the order of its memory
    dtype: str
    axes: tuple  # the permutation that gives the target

    def bytes(self):
        return int(np.prod(self.sizes)) * np.dtype(self.dtype).itemsize


class Contender(typing.NamedTuple):
    name: str
    run: typing.Callable
    prepare: typing.Callable = lambda: None


def both_ways(letter, sizes, dtype="float32"):
    n, c, h, w = sizes
    shape = "x".join(map(str, sizes)) + (" u8" if dtype == "uint8" else "")
    yield Case(f"{letter} {shape} NCHW-NHWC", f"{letter}_nchw-nhwc", sizes, dtype, (0, 2, 3, 1))
    yield Case(f"{letter} {shape} NHWC-NCHW", f"{letter}_nhwc-nchw", (n, h, w, c), dtype, (0, 3, 1, 2))


def cases():
    yield from both_ways("A", (1, 3, 224, 224))
    yield from both_ways("B", (32, 64, 56, 56))
    yield from both_ways("C", (8, 256, 128, 128))
    yield from both_ways("D", (64, 3, 224, 224), "uint8")
    yield Case("E 8192x8192 transposed", "E_", (8192, 8192), "float32", (1, 0))
    yield Case("F 24x18x16x20x12x10 reversed", "F_", (24, 18, 16, 20, 12, 10), "float32", (5, 4, 3, 2, 1, 0))


def contenders(case, torch):
    """All of them write the same memory, which holds the target or a plain copy of the source."""
    source = np.ones(case.sizes, case.dtype)
    view = source.transpose(case.axes)
    target = np.empty(view.shape, case.dtype)
    flat, flat_target = source.reshape(-1), target.reshape(-1)
    yield Contender("copy", lambda: np.copyto(flat_target, flat))
    yield Contender("numpy", lambda: np.copyto(target, view))
    if torch:
        out, permuted = torch.from_numpy(target), torch.from_numpy(source).permute(case.axes)
        for name, threads in (("torch 1", 1), ("torch all", CORES)):
            yield Contender(name, lambda: out.copy_(permuted), functools.partial(torch.set_num_threads, threads))


def seconds(contender, calls=1):
    """The time of one call. Where several are timed together, one goes before them that is not."""
    contender.prepare()
    if calls > 1:
        contender.run()
    start = time.perf_counter()
    for _ in range(calls):
        contender.run()
    return (time.perf_counter() - start) / calls


def medians(group, rounds):
    """The median time of each contender, in turns after a call each that touches all memory."""
    calls = [max(1, round(BATCH_SECONDS / seconds(c))) for c in group]
    times = [[] for _ in group]
    start = time.perf_counter()
    for done in range(rounds):
        if done > 1 and time.perf_counter() - start > CASE_SECONDS:
            break
        for c, n, own in zip(group, calls, times):
            own.append(seconds(c, n))
    return {c.name: statistics.median(own) for c, own in zip(group, times)}


def go_benchmarks():
    """Runs the project's benchmark and returns its lines, or none with a note."""
    command = ["go", "test", "./layout/relayout", "-run", "^$", "-bench", "Move/^[A-F]_"]
    command += ["-benchtime", "300ms", "-timeout", "180s"]
    if not shutil.which("go"):
        note("no go: without layoutcalc's figures")
        return []
    ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = [line for line in ran.stdout.splitlines() if line.startswith("BenchmarkMove/")]
    if ran.returncode or not found:
        said = "\n".join(ran.stdout.strip().splitlines()[-5:])
        note(f"`go test -bench Move ./layout/relayout` gave {len(found)} figures, and ended with\n{said}")
    return found


def parse_benchmarks(lines):
    """Maps (benchmark, jobs) to its figures by unit, from lines such as
    BenchmarkMove/C_nchw-nhwc/jobs=1-2  9  38512345 ns/op  1.42 x-copy"""
    figures = {}
    for line in lines:
        name, *rest = line.split()
        match = re.fullmatch(r"BenchmarkMove/(.+)/jobs=(\d+)(-\d+)?", name)
        if match and len(rest) > 2:
            units = {unit: float(value) for value, unit in zip(rest[1::2], rest[2::2])}
            figures[match[1], int(match[2])] = units
    return figures


def own_figures(case, figures):
    """What the Go benchmark says of a case: seconds by contender, and ratios to Go's copy."""
    times, ratios = {}, {}
    for (bench, jobs), units in figures.items():
        if bench.lower().startswith(case.bench.lower()) and "ns/op" in units:
            times[f"layoutcalc {jobs}"] = units["ns/op"] / 1e9
            ratios[f"layoutcalc {jobs}"] = units.get("x-copy")
    return times, ratios


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def ratio(a, b):
    return a / b if a and b else None


def memory_row(case, times, ratios):
    size, of = case.bytes(), times.get
    row = [case.name, str(size), number(size / times["copy"] / 1e9, 1)]
    for name in ("layoutcalc 1", "layoutcalc 2"):
        speed = ratio(size / 1e9, of(name))
        row += [number(ratio(of(name), 1e-3), 2), number(speed, 1), number(ratios.get(name), 2)]
    for name in ("numpy", "torch 1", "torch all"):
        row += [number(ratio(of(name), 1e-3), 2), number(ratio(of(name), times["copy"]), 2)]
    for theirs, ours in (("numpy", "1"), ("torch 1", "1"), ("torch all", "2")):
        row.append(number(ratio(of(theirs), of("layoutcalc " + ours)), 1))
    return row


def memory_table(rows):
    timed, speed = ["ms", "x copy"], ["ms", "GB/s", "x copy"]
    groups = [("", ["case", "bytes"]), ("copy", ["GB/s"]), ("layoutcalc, 1", speed), ("layoutcalc, 2", speed),
              ("numpy", timed), ("torch, 1", timed), (f"torch, {CORES}", timed),
              ("over layoutcalc", ["numpy", "torch", "all"])]
    heads = [head for _, names in groups for head in names]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    print(group_line(groups, widths))
    print_rows([heads] + rows, widths)


def group_line(groups, widths):
    """The line above the heads: each group's name over its columns."""
    texts, at = [], 0
    for name, names in groups:
        texts.append(name.rjust(sum(widths[at:at + len(names)]) + 2 * len(names) - 2))
        at += len(names)
    return "  ".join(texts)


def print_rows(rows, widths):
    for first, *rest in rows:
        print("  ".join([first.ljust(widths[0])] + [text.rjust(w) for text, w in zip(rest, widths[1:])]))


def find_torch():
    try:
        import torch
        return torch
    except ImportError as e:
        note(f"no PyTorch: {e}")
        return None


def memory(args):
    figures = {} if args.numpy_only else parse_benchmarks(go_benchmarks())
    torch = None if args.numpy_only else find_torch()
    rows = []
    for case in cases():
        times, ratios = own_figures(case, figures)
        times.update(medians(list(contenders(case, torch)), args.rounds))
        rows.append(memory_row(case, times, ratios))
    print(f"in memory: NumPy {np.__version__}, PyTorch {torch.__version__ if torch else '-'}, {CORES} cores")
    print("numbers behind names: threads; x copy: time over that of a plain copy in the same process, by one thread;")
    print("over layoutcalc: their time over that of layoutcalc with 1 thread, and of torch with all, with 2\n")
    memory_table(rows)


# ---- from file to file ----


def copy(source, target):
    subprocess.run(["cp", source, target], check=True)


def copy_synced(source, target):
    copy(source, target)
    fd = os.open(target, os.O_RDWR)
    os.fsync(fd)
    os.close(fd)


def convert(tool, sizes, flags, source, target):
    command = [tool, "convert", "x".join(map(str, sizes)), "NCHW", "NHWC", "--in", source, "--out", target, *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def convert_numpy(sizes, source, target):
    array = np.fromfile(source, np.float32).reshape(sizes)
    np.ascontiguousarray(array.transpose(0, 2, 3, 1)).tofile(target)


def build(directory):
    """Builds the program as the README does, and returns its path, or None with a note."""
    path = os.path.join(directory, "layoutcalc")
    command = ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "."]
    if not shutil.which("go"):
        note("no go: without layoutcalc")
        return None
    ran = subprocess.run(command, cwd=ROOT, env={**os.environ, "CGO_ENABLED": "0"}, stderr=subprocess.PIPE, text=True)
    if ran.returncode:
        note(f"layoutcalc does not build: {ran.stderr.strip()}")
        return None
    return path


def programs(sizes, tool):
    if shutil.which("cp"):
        yield "cp", copy
        yield "cp, fsync", copy_synced
    else:
        note("no cp: without the yardstick")
    if tool:
        yield "layoutcalc convert", functools.partial(convert, tool, sizes, [])
        yield "layoutcalc convert --sync", functools.partial(convert, tool, sizes, ["--sync"])
    yield "numpy", functools.partial(convert_numpy, sizes)


def checksum(path):
    total = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            total = zlib.crc32(block, total)
    return total


def file_seconds(run, source, target):
    """The time of one run. Nothing of earlier runs is left to write when it starts."""
    os.sync()
    start = time.perf_counter()
    run(source, target)
    return time.perf_counter() - start


def first_round(todo, source, target):
    """Warms up, leaves out programs that fail, and returns the rest if all of them agree."""
    kept, sums = [], {}
    for name, run in todo:
        try:
            run(source, target)
            kept.append((name, run))
            if not name.startswith("cp"):
                sums[name] = checksum(target)
        except subprocess.CalledProcessError as e:
            note(f"without {name}: exit code {e.returncode}: {(e.stderr or '').strip()}")
        pathlib.Path(target).unlink(missing_ok=True)
    if len(set(sums.values())) > 1:
        sys.exit(f"the results differ, CRC-32: {sums}")
    return kept


def file_rounds(todo, rounds, source, target):
    """The times of each program. Every round has an order of its own."""
    rng, todo = random.Random("layoutcalc"), first_round(todo, source, target)
    times = {name: [] for name, _ in todo}
    start = time.perf_counter()
    for done in range(rounds):
        if done and (time.perf_counter() - start) * (done + 1) / done > FILE_SECONDS:
            break
        for name, run in rng.sample(todo, len(todo)):
            times[name].append(file_seconds(run, source, target))
            os.remove(target)
    return times


def files(args):
    sizes = (16 if args.small else 64, 256, 128, 128)
    size = 4 * int(np.prod(sizes))
    with tempfile.TemporaryDirectory(prefix="relayout-") as own, \
            tempfile.TemporaryDirectory(prefix="relayout-", dir=args.dir) as directory:
        if shutil.disk_usage(directory).free < 3 * size:
            note(f"nothing from file to file: less than {3 * size} bytes are free for them")
            return
        todo = list(programs(sizes, None if args.numpy_only else build(own)))
        source, target = os.path.join(directory, "x.bin"), os.path.join(directory, "y.bin")
        np.arange(size // 4, dtype=np.uint32).tofile(source)
        times = file_rounds(todo, args.rounds, source, target)
    shape, rounds = "x".join(map(str, sizes)), len(times["numpy"])
    print(f"\nfrom file to file: {shape} float32, {size} bytes, NCHW to NHWC, medians of {rounds} rounds\n")
    print_files(times, size)


def print_files(times, size):
    rows = [["", "s", "best", "GB/s", "/ cp"]]
    cp = statistics.median(times["cp"]) if "cp" in times else None
    for name, own in times.items():
        t = statistics.median(own)
        rows.append([name, number(t, 2), number(min(own), 2), number(size / t / 1e9, 2), number(ratio(t, cp), 2)])
    print_rows(rows, [max(map(len, column)) for column in zip(*rows)])


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def existing_directory(text):
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"no directory: {text}")
    return text


def parse_args():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=positive, default=7, metavar="N",
                   help="how often each is timed (default 7), fewer times where time is up; medians are shown")
    p.add_argument("--dir", type=existing_directory, metavar="DIR",
                   help="where the files go, which are removed at the end (default: the system's temporary directory)")
    p.add_argument("--small", action="store_true", help="files of 256 MB instead of 1 GiB")
    p.add_argument("--numpy-only", action="store_true", help="without layoutcalc and PyTorch")
    only = p.add_mutually_exclusive_group()
    only.add_argument("--memory-only", action="store_true", help="nothing from file to file")
    only.add_argument("--files-only", action="store_true", help="nothing in memory")
    return p.parse_args()


def main():
    args = parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the files are removed on the way out
    if not args.files_only:
        memory(args)
    if not args.memory_only:
        files(args)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
