#!/usr/bin/python3
"""Writes arrays/*.npy with NumPy, arrays/arrays.json with what NumPy says of them, arrays/types.json
with what it makes of types, and arrays/headers.json with headers that it writes. Needs Debian's
python3-numpy."""
import io
import json
import pathlib
import struct
import warnings

import numpy as np
from numpy.lib import format as npy

warnings.simplefilter("ignore")
here = pathlib.Path(__file__).parent / "arrays"
here.mkdir(exist_ok=True)


def counting(dtype, *shape):
    return np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(dtype)


# The version of the format, and the array.
arrays = {
    "v1": ((1, 0), counting("<f4", 2, 3)),
    "v2": ((2, 0), counting("<i2", 2, 3)),
    "v3": ((3, 0), counting("|u1", 5)),
    "fortran": ((1, 0), np.asfortranarray(counting("<i4", 2, 3, 4))),
    "fortran_v2": ((2, 0), np.asfortranarray(counting("<f8", 3, 2))),
    "big": ((1, 0), counting(">i4", 3)),
    "big_fortran": ((3, 0), np.asfortranarray(counting(">f2", 2, 3))),
    "big_complex": ((1, 0), (counting("f8", 3) * (1 + 2j)).astype(">c8")),
    "complex": ((1, 0), (counting("f8", 2, 1) * (3 - 1j)).astype("<c16")),
    "time": ((1, 0), np.array(["2020-01-01", "1969-12-31"], "<M8[ns]")),
    "big_span": ((1, 0), counting("<i8", 2).astype(">m8[25s]")),
    "bool": ((1, 0), np.array([True, False, True])),
    "scalar": ((1, 0), np.array(1.5)),
    "big_scalar": ((2, 0), np.array(258, ">u2")),
    "empty": ((1, 0), np.zeros((0, 3), "<f4")),
    "letters": ((1, 0), np.array(["a", "\u00e9", "\U0001f600"], "<U1")),
    "big_letters": ((1, 0), np.array(["a", "\u00e9"], ">U1")),
    "bytes": ((1, 0), np.array([b"x", b"yy"], "S2")),
    "bytes3": ((1, 0), np.array([b"x", b"yyy"], "S3")),
    "texts": ((1, 0), np.array(["ab", "cdefghijkl"])),
    "long_complex": ((1, 0), np.zeros(2, np.clongdouble)),
    "long": ((1, 0), np.array([1, 2], np.longdouble).astype(">f16")),
    "objects": ((1, 0), np.array([None])),
    "records": ((1, 0), np.zeros(2, [("a", "<f4"), ("b", "<i4")])),
}


def little(a):
    """The elements in C order and little-endian, as bytes."""
    return np.ascontiguousarray(a.byteswap() if a.dtype.str[0] == ">" else a).tobytes()


def unit(dtype):
    """How many bytes NumPy reverses to swap an element, 0 for one that need not be swapped."""
    if dtype.isnative:
        return 0
    swapped = np.frombuffer(bytes(range(dtype.itemsize)), dtype).byteswap().tobytes()
    return swapped[0] + 1


def written():
    for name, (version, a) in arrays.items():
        path = here / (name + ".npy")
        with open(path, "wb") as f:
            npy.write_array(f, a, version)
        with open(path, "rb") as f:
            shape, fortran, dtype = npy._read_array_header(f, npy.read_magic(f))
            start = f.tell()
        number = dtype.names is None and not dtype.hasobject
        moved = number and dtype.itemsize in (1, 2, 4, 8, 16)
        yield {
            "file": path.name, "moved": moved, "descr": dtype.str, "name": dtype.name, "item": dtype.itemsize,
            "swap": unit(dtype) if moved else 0, "shape": shape, "fortran": fortran,
            "start": start, "bytes": a.nbytes, "little": little(a).hex() if moved else "",
        }


# The descrs that headers may have. NumPy reads those without an order in that of the machine.
orders = ["<", ">", "=", "|", ""]
kinds = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "f16", "c8", "c16",
         "c32", "S1", "S2", "S3", "S4", "S8", "S16", "U1", "U2", "U3", "U4", "U5", "M8[ns]", "M8[D]",
         "m8[25s]", "M8", "m8"]


def types():
    for descr in [order + kind for order in orders for kind in kinds]:
        dtype = npy.descr_to_dtype(descr)
        yield {"descr": descr, "item": dtype.itemsize, "swap": unit(dtype)}


shapes = [
    (), (0,), (1,), (7,), (1000000,), (9223372036854775807,), (2, 3), (3, 0), (1, 3, 224, 224),
    (64, 3, 7, 7), (1,) * 32, (123456789,) * 8, (1, 2, 3, 4, 5, 6, 7, 8, 9),
    (65535, 1), (1, 65535), (9223372036854775807, 1), (1, 9223372036854775807),
]
# The dictionary passes the next multiple of 64 bytes somewhere on the way.
shapes += [(5,) * n for n in range(3, 32)]


def header(descr, shape, fortran):
    out = io.BytesIO()
    npy._write_array_header(out, {"descr": descr, "fortran_order": fortran, "shape": shape}, None)
    return out.getvalue()


def headers():
    for shape in shapes:
        for descr, fortran in ("<f4", False), ("|u1", True), ("<c16", False):
            yield {"descr": descr, "shape": shape, "fortran": fortran, "header": header(descr, shape, fortran).decode("latin-1")}


def saved():
    """Headers of numpy.save itself."""
    for descr in "<f4", "<f8", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c8", "<c16":
        for fortran in False, True:
            a = np.zeros((2, 3), descr, order="F" if fortran else "C")
            out = io.BytesIO()
            np.save(out, a)
            yield {"descr": descr, "shape": a.shape, "fortran": fortran, "header": out.getvalue()[:-a.nbytes].decode("latin-1")}


def longest():
    """Headers that are about as long as version 1.0 has them: only their ends are kept."""
    for rank in 21777, 21778, 21798, 21799, 21820, 30000:
        for fortran in False, True:
            h = header("<f4", (1,) * rank, fortran)
            yield {"rank": rank, "fortran": fortran, "version": h[6], "length": len(h),
                   "stated": struct.unpack("<H" if h[6] == 1 else "<I", h[8:10 if h[6] == 1 else 12])[0],
                   "blanks": len(h) - 1 - len(h[:-1].rstrip(b" "))}


def write(name, rows):
    with open(here / name, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


write("arrays.json", written())
write("types.json", types())
write("headers.json", [*headers(), *saved()])
write("longest.json", longest())
