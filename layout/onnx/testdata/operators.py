#!/usr/bin/python3
"""Writes ../operators.txt from docs/Changelog.md and docs/Changelog-ml.md of onnx/onnx, whose paths are the arguments.

A line has the name of an operator, the first set of operators that has it, and the first that has it no more, or 0."""
import pathlib
import re
import sys

heading = re.compile(r'^### <a name="([\w.]+)-(\d+)"></a>\*\*[\w.]+-\d+\*\*( \(deprecated\))?')
section = re.compile(r"^## Version (\d+) of the (?:default ONNX|'([\w.]+)') operator set")

lines = []
for path, domain in zip(sys.argv[1:], ("ai.onnx", "ai.onnx.ml")):
    versions, newest, current = {}, 0, None
    for line in open(path, encoding="utf-8"):
        if match := section.match(line):
            current = match[2] or "ai.onnx"
            if current == domain:
                newest = max(newest, int(match[1]))
        elif (match := heading.match(line)) and current == domain:
            versions.setdefault(match[1].rpartition(".")[2], {})[int(match[2])] = bool(match[3])
    lines.append(f"{domain} {newest} 0")
    for name in sorted(versions):
        first = 0
        for version, deprecated in sorted(versions[name].items()):
            if deprecated and first:
                lines.append(f"{name} {first} {version}")
                first = 0
            elif not deprecated and not first:
                first = version
        if first:
            lines.append(f"{name} {first} 0")
(pathlib.Path(__file__).parent.parent / "operators.txt").write_text("\n".join(lines) + "\n")
