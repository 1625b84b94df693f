"""Writes what PyYAML reads of the texts in documents.json, which go test -update collects: python3 pyyaml.py.

Keys have to be texts: JSON, and validators of JSON Schema, know no others.
"""
import json

import yaml


def plain(value):
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise SystemExit("a key is not a text: %r" % key)
        return {key: plain(v) for key, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


with open("documents.json") as f:
    texts = json.load(f)
with open("pyyaml.json", "w") as f:
    json.dump([plain(yaml.safe_load(text)) for text in texts], f, indent=1)
    f.write("\n")
