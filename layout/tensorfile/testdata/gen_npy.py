#!/usr/bin/python3
"""Writes npy/*.npy with NumPy, npy/arrays.json with what NumPy says of them, and
npy/headers.json with what NumPy's reader makes of dictionaries, and npy/spellings.json with what it makes of types.
Writes npz/*.npz too, and npz/archives.json with what NumPy and Python's zipfile say of them.
Needs Debian's python3-numpy."""
import io
import json
import pathlib
import string
import struct
import warnings
import zipfile

import numpy as np
from numpy.lib import format as npy

warnings.simplefilter("ignore")
here = pathlib.Path(__file__).parent / "npy"

arrays = {
    "c": np.arange(6, dtype="<f4").reshape(2, 3),
    "fortran": np.asfortranarray(np.arange(6, dtype="<f4").reshape(2, 3)),
    "fortran4": np.asfortranarray(np.zeros((2, 3, 4, 5), "|i1")),
    "row": np.asfortranarray(np.zeros((1, 3), "<f4")),  # C-contiguous too: stored as such
    "scalar": np.array(1.5),
    "empty": np.zeros((0, 3), "<i8"),
    "bool": np.array([True, False, True]),
    "half": np.zeros((3, 1), "<f2"),
    "complex": np.zeros(2, "<c16"),
    "bigendian": np.arange(4, dtype=">i2"),
    "text": np.array(["ab", "cdef"]),
    "time": np.array(["2020-01-01"], "M8[ns]"),
    "structured": np.zeros(2, [("a", "u1"), ("b", "<f4")]),
    "object": np.array([None]),
    "record": np.zeros(2, "V3"),
    "aligned": np.zeros(3, np.dtype([("a", "u1"), ("b", "<f8")], align=True)),
    "nested": np.zeros(3, [("a", "<f4"), ("b", "<i2", (2, 3)), ("c", [("x", "u1"), ("y", ">f8")])]),
    "titled": np.zeros(2, [(("t", "a"), "<f4"), ("b'\"\\\\", "<U3")]),
    "pickled": np.array([(1, [2])], [("a", "<i4"), ("o", "O")]),
    "rank32": np.zeros((1,) * 32, "|u1"),
}

dicts = [
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
    "{'shape': (2, 3), 'fortran_order': True, 'descr': '<f4'}",
    '{"descr": "<f4", "fortran_order": False, "shape": (2, 3)}',
    "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': [4]}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1_000, 0x10, 0o17, 0b11)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1__0, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (_1, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (012, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0_1, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (00, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0_0, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1e3, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': ('1', 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)} x",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)} # comment",
    "{'descr': '<f4', # why\n 'fortran_order': False, 'shape': (1, 2)}",
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 2)}",
    "{'descr': '<f4', 'fortran_order': false, 'shape': (1, 2)}",
    "{'descr': '<f4', 'fortran_order': None, 'shape': (1, 2)}",
    "{'descr': '<f4', 'fortran_order': False}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'x': 1}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'shape': (5, 6)}",
    "{'descr': '<f4' 'fortran_order': False, 'shape': (1, 2)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2),,}",
    "{'descr': , 'fortran_order': False, 'shape': (1, 2)}",
    "{descr: '<f4', 'fortran_order': False, 'shape': (1, 2)}",
    "{'descr': '<f4, 'fortran_order': False, 'shape': (1, 2)}",
    "{'descr': '<f4\n', 'fortran_order': False, 'shape': (1, 2)}",
    "{}",
    "",
    "[]",
    "(1, 2)",
    "None",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2l, 3)}",
    "{'descr': '<f5', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '=f8', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|f8', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<b1', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|b2', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<i3', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<u8', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<c4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<f16', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<U4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|S5', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<m8[us]', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<M4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<f', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<f-4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '<x4', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|V2', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|V0', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': 'V16', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': 'O', 'fortran_order': False, 'shape': (2,)}",
    "{'descr': '|O8', 'fortran_order': False, 'shape': (2,)}",
] + [
    "{'descr': %s, 'fortran_order': False, 'shape': (2,)}" % descr for descr in [
        "[]", "[('a', '<f4')]", "[('a', '<f4'),]", "[('a', '<f4',)]", "[('a', '<f4'), ('b', '|u1')]",
        "[('a', '<f4') ('b', '|u1')]", "[('a', '<f4', (3,))]", "[('a', '<f4', (3, 2), )]", "[('a', '<f4', 3)]",
        "[('a', '<f4', ())]", "[('a', '<f4', (0,))]", "[('a', '<f4', (3, 2)), ('b', [('c', '>i2'), ('d', '<c16')])]",
        "[('a', [('b', [('c', '<f8', (2,))], (3,))])]", "[('', '|V3'), ('a', '<f8')]", "[(('t', 'a'), '<f4')]",
        "[(('t', 'a'), '<f4', (2,))]", "[('a', '<U5'), ('b', '|S3'), ('c', '<M8[ns]')]", "[('a', '|O')]",
        "[('a', '<f4'), ('b', [('c', '|O')])]", "('<f4', (3,))", "('<f4', (3, 2))", "([('a', '<f4')], (2,))",
        "('<f4',)", "[('a', '<f4'", "[('a', '<f4']", "[('a')]", "[('a', 'q9')]", "['<f4']", "[('a', 4)]",
        "[('a', '<f4', '3')]", "[(3, '<f4')]", "[('a', '<f4', (2,), 1)]", "[('a', '<f4', (-1,))]",
        "[('a', '<f4', (99999, 99999))]", "[('a\\'b', '<f4'), (\"c\\\"\", '<f4')]",
    ]
]


def written():
    for name, a in arrays.items():
        path = here / (name + ".npy")
        np.save(path, a, allow_pickle=True)
        with open(path, "rb") as f:
            version = npy.read_magic(f)
            shape, fortran, dtype = npy._read_array_header(f, version)
            start = f.tell()
        yield {
            "file": path.name, "descr": a.dtype.str if a.dtype.names is None else str(npy.dtype_to_descr(a.dtype)),
            "shape": shape, "fortran": fortran, "start": start, "bytes": path.stat().st_size - start,
            "strides": [s // a.itemsize for s in a.strides] if fortran else None,
            "noted": "Python objects" if a.dtype.hasobject else "fields" if a.dtype.names is not None
                     else "raw bytes" if a.dtype.kind == "V" else "",
        }
    for version in (2, 0), (3, 0):
        path = here / f"version{version[0]}.npy"
        with open(path, "wb") as f:
            npy.write_array(f, arrays["c"], version)
        yield {"file": path.name, "descr": "<f4", "shape": (2, 3), "fortran": False,
               "start": path.stat().st_size - 24, "bytes": 24, "strides": None, "noted": ""}


def read(text, major):
    length = struct.pack("<H" if major == 1 else "<I", len(text))
    try:
        shape, fortran, dtype = npy._read_array_header(io.BytesIO(length + text.encode()), (major, 0))
    except Exception:
        return {"text": text, "version": major, "ok": False}
    return {"text": text, "version": major, "ok": True, "shape": shape, "fortran": fortran, "item": dtype.itemsize}


# Names that NumPy 1.24 reads, and that NumPy 2.0 has removed or deprecated.
gone = {"a", "bool8", "bytes0", "cfloat", "clongfloat", "complex_", "float_", "int0", "longcomplex", "longfloat",
        "object0", "singlecomplex", "str0", "string_", "uint0", "unicode", "unicode_", "void0"}


def spellings():
    letters = string.ascii_letters + "?"
    words = sorted({w for w in np.sctypeDict if isinstance(w, str)} | set(letters) - gone)
    words += ["datetime64[s]", "timedelta64[25us]", "M[D]", "m[ns]", "int8[s]", "d[s]", "Float32", "FLOAT32", "f32",
              "np.float32", "float31", "i4,f4"]
    for word in words:
        for order in ["", "<", ">", "=", "|"] if len(word) == 1 else ["", ">"]:
            descr = order + word
            text = "{'descr': '%s', 'fortran_order': False, 'shape': (2,)}" % descr
            length = struct.pack("<H", len(text))
            try:
                dtype = npy._read_array_header(io.BytesIO(length + text.encode()), (1, 0))[2]
            except Exception:
                dtype = None
            if dtype is None or dtype.names is not None or word in gone:
                yield {"descr": descr, "written": ""}
            else:
                yield {"descr": descr, "written": dtype.str, "item": 0 if dtype.hasobject else dtype.itemsize}


def write(name, rows):
    with open(here / name, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


write("arrays.json", written())
write("headers.json", [read(d, v) for d in dicts for v in (1, 3)])
write("spellings.json", spellings())


archives = here.parent / "npz"


def archived():
    """Describes each array: start is its first byte in the archive, -1 if it is compressed."""
    for path in sorted(archives.glob("*.npz")):
        with zipfile.ZipFile(path) as z, open(path, "rb") as f, np.load(path, allow_pickle=True) as arrays:
            for info in z.infolist():
                name = info.filename.removesuffix(".npy")
                if name == info.filename:
                    continue
                a, start = arrays[name], -1
                if info.compress_type == zipfile.ZIP_STORED:
                    f.seek(info.header_offset + 26)
                    start = info.header_offset + 30 + sum(struct.unpack("<HH", f.read(4)))
                    start += info.file_size - a.nbytes
                yield {"file": path.name, "name": name, "type": a.dtype.str, "sizes": a.shape,
                       "fortran": a.flags.fnc, "start": start, "bytes": a.nbytes}


def archive(name, compression, comment=b"", zip64=False):
    with zipfile.ZipFile(archives / name, "w", compression) as z:
        z.comment = comment
        for i, (member, a) in enumerate(members.items()):
            info = zipfile.ZipInfo(member + ".npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = compression
            info.extra = b"\xfe\xca\x02\x00ab" * i
            with z.open(info, "w", force_zip64=zip64) as f:
                npy.write_array(f, a)
        z.writestr(zipfile.ZipInfo("note.txt", (1980, 1, 1, 0, 0, 0)), "PK\1\2 not an array")


members = {
    "w": np.arange(6, dtype="<f4").reshape(2, 3), "dir/f": np.asfortranarray(np.ones((3, 4), "<f2")),
    "scalar": np.array(2.5), "empty": np.zeros((0, 3), "<i8"),
}
archives.mkdir(exist_ok=True)
archive("stored.npz", zipfile.ZIP_STORED)
members["long"] = np.zeros(40_000, "<i2")
archive("deflated.npz", zipfile.ZIP_DEFLATED)
archive("comment.npz", zipfile.ZIP_DEFLATED, b"a comment with PK in it")
archive("zip64.npz", zipfile.ZIP_DEFLATED, zip64=True)
with zipfile.ZipFile(archives / "none.npz", "w"):
    pass
with open(archives / "archives.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(r) for r in archived()) + "\n]\n")
