#!/usr/bin/env python3
"""Writes every file the tasks name into the current directory. Pure Python; deterministic."""
import io, json, os, pickle, struct, sys, types, zipfile, zlib
from math import prod

FMT = {'f4': 'f', 'f8': 'd', 'f2': 'e', 'i4': 'i', 'i8': 'q', 'i1': 'b', 'u1': 'B', 'b1': '?', 'i2': 'h', 'u2': 'H'}

def pack(vals, d, end='<'):
    return struct.pack(end + str(len(vals)) + FMT[d], *vals)

def npy(descr, shape, data, fortran=False, version=1):
    sh = '(' + ', '.join(map(str, shape)) + (',' if len(shape) == 1 else '') + ')'
    d = descr if descr.startswith('[') else repr(descr)
    h = "{'descr': %s, 'fortran_order': %s, 'shape': %s, }" % (d, fortran, sh)
    pre = 10 if version == 1 else 12
    pad = -(pre + len(h) + 1) % 64
    h = h + ' ' * pad + '\n'
    ln = struct.pack('<H', len(h)) if version == 1 else struct.pack('<I', len(h))
    return b'\x93NUMPY' + bytes([version, 0]) + ln + h.encode() + data

def put(name, data):
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, 'wb') as f:
        f.write(data)

def F(vals, shape, d='f4', end='<', **k):
    return npy((end if d not in ('i1', 'u1', 'b1') else '|') + d, shape, pack(vals, d, end), **k)

def bf16(vals):
    return b''.join(struct.pack('<f', v)[2:] for v in vals)

def st(tensors, meta=None, order=None, head_extra=None, data=None):
    """tensors: {name: (dtype, shape, bytes)}"""
    h, off, blob = {}, 0, b''
    if meta is not None:
        h['__metadata__'] = meta
    for n in order or tensors:
        t, s, b = tensors[n]
        h[n] = {'dtype': t, 'shape': list(s), 'data_offsets': [off, off + len(b)]}
        off += len(b); blob += b
    if head_extra:
        head_extra(h)
    j = json.dumps(h, separators=(',', ':')).encode()
    j += b' ' * (-len(j) % 8)
    return struct.pack('<Q', len(j)) + j + (blob if data is None else data)

# ---- npy
c = [float(i) for i in range(12)]
put('c.npy', F(c, (3, 4)))
put('c_copy.npy', F(c, (3, 4)))
put('f.npy', F([c[i * 4 + j] for j in range(4) for i in range(3)], (3, 4), fortran=True))
put('t.npy', F([c[i * 4 + j] for j in range(4) for i in range(3)], (4, 3)))
one = list(c); one[6] = 99.0
put('one_diff.npy', F(one, (3, 4)))
put('c_f64.npy', F(c, (3, 4), 'f8'))
put('c_f16.npy', F(c, (3, 4), 'f2'))
put('c_i32.npy', F([int(v) for v in c], (3, 4), 'i4'))
nan = list(c); nan[1] = float('nan')
put('nan.npy', F(nan, (3, 4)))
put('nan_copy.npy', F(nan, (3, 4)))
put('near.npy', F([v * (1 + 1e-6) for v in c], (3, 4)))
put('be.npy', F(c, (3, 4), 'f4', '>'))
put('padded.npy', F([c[i * 4 + j] if j < 4 else 0.0 for i in range(3) for j in range(8)], (3, 8)))
n = [float(i) for i in range(60)]
put('nchw.npy', F(n, (1, 3, 4, 5)))
put('nhwc.npy', F([n[ch * 20 + h * 5 + w] for h in range(4) for w in range(5) for ch in range(3)], (1, 4, 5, 3)))
put('img.npy', F([i % 256 for i in range(72)], (4, 6, 3), 'u1'))
put('u8.npy', F([1, 2, 255, 128], (4,), 'u1'))
put('i8.npy', F([1, 2, -1, -128], (4,), 'i1'))
put('bool.npy', F([True, False, True, True, False], (5,), 'b1'))
put('scalar.npy', F([3.5], (), 'f8'))
put('empty.npy', F([], (0, 4)))
put('empty2.npy', F([], (0, 4)))
put('c64.npy', npy('<c8', (2, 3), pack(c, 'f4')))
put('v2.npy', F(c, (3, 4), version=2))
put('struct.npy', npy("[('pos', '<f4', (3,)), ('id', '<i4')]", (2,), struct.pack('<fffifffi', 1, 2, 3, 7, 4, 5, 6, 8)))
put('obj.npy', npy('|O', (2,), pickle.dumps(['a', 'b'])))
put('trunc.npy', F(c, (3, 4))[:-8])
put('fake.npy', b'hello, this is not an array\n')
put('notes.txt', b'remember to ask Ann about the pitch of the second plane\n')
put('zero.npy', b'')
put('my weights.npy', F(c, (3, 4)))
put('a/c.npy', F(c, (3, 4))); put('b/c.npy', F(one, (3, 4)))

# ---- npz
def npz(name, arrays, comp):
    with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED if comp else zipfile.ZIP_STORED) as z:
        for k, v in arrays.items():
            zi = zipfile.ZipInfo(k + '.npy', (1980, 1, 1, 0, 0, 0))
            zi.compress_type = z.compression
            z.writestr(zi, v)
w = [float(i) / 4 for i in range(32)]
A = {'fc.weight': F(w, (8, 4)), 'fc.bias': F([0.5] * 8, (8,)), 'step': F([1000], (), 'i8')}
npz('weights.npz', A, False)
npz('wz.npz', A, True)
B = dict(A); w2 = list(w); w2[13] = -1.0; B['fc.weight'] = F(w2, (8, 4))
npz('weights2.npz', B, False)
put('torn.npz', open('weights.npz', 'rb').read()[:300])

# ---- raw
put('c.raw', pack(c, 'f4'))
put('c_padded.raw', b''.join(pack(c[i * 4:i * 4 + 4], 'f4') + bytes(16) for i in range(3)))
put('frame.raw', bytes(i % 251 for i in range(256 * 4)))          # 8x4 RGBA, row pitch 256

# ---- safetensors
lm = [float(i) / 8 for i in range(128)]
T = {'embed.weight': ('F16', (16, 8), pack([float(i) for i in range(128)], 'f2')),
     'layers.0.attn.q.weight': ('BF16', (8, 8), bf16([1.0] * 64)),
     'layers.0.attn.k.weight': ('BF16', (4, 8), bf16([2.0] * 32)),
     'lm_head.weight': ('F32', (16, 8), pack(lm, 'f4'))}
put('model.safetensors', st(T, {'format': 'pt', 'note': 'tiny'}))
put('my model.safetensors', st(T, {'format': 'pt', 'note': 'tiny'}))
put('reordered.safetensors', st(T, {'format': 'pt'}, order=list(T)[::-1]))
T2 = dict(T); del T2['layers.0.attn.k.weight']; T2['lm_head.weight'] = ('F16', (16, 8), pack(lm, 'f2'))
put('model2.safetensors', st(T2, {'format': 'pt'}))
lm2 = list(lm); lm2[77] = 1000.0
T3 = dict(T); T3['lm_head.weight'] = ('F32', (16, 8), pack(lm2, 'f4'))
put('finetuned.safetensors', st(T3, {'format': 'pt'}))
put('lm_head.npy', F(lm, (16, 8)))
full = st(T, {'format': 'pt'})
put('trunc.safetensors', full[:-100])
def ov(h): h['b']['data_offsets'] = [32, 96]
put('overlap.safetensors', st({'a': ('F32', (4, 4), bytes(64)), 'b': ('F32', (4, 4), bytes(64))}, head_extra=ov, data=bytes(96)))
def wrong(h): h['a']['shape'] = [4, 5]
put('badshape.safetensors', st({'a': ('F32', (4, 4), bytes(64)), 'b': ('F32', (4, 4), bytes(64))}, head_extra=wrong))
put('hugehead.safetensors', struct.pack('<Q', 1 << 40) + b'{"a":{}}')
k = list(T)
put('model-00001-of-00002.safetensors', st({x: T[x] for x in k[:2]}, {'format': 'pt'}))
put('model-00002-of-00002.safetensors', st({x: T[x] for x in k[2:]}, {'format': 'pt'}))
wm = {x: 'model-0000%d-of-00002.safetensors' % (1 + (i > 1)) for i, x in enumerate(k)}
put('model.safetensors.index.json', json.dumps({'metadata': {'total_size': 960}, 'weight_map': wm}, indent=2).encode())
wm2 = dict(wm); wm2['lm_head.weight'] = 'model-00003-of-00003.safetensors'
put('broken.safetensors.index.json', json.dumps({'metadata': {'total_size': 960}, 'weight_map': wm2}, indent=2).encode())

# ---- gguf
def gs(s): b = s.encode(); return struct.pack('<Q', len(b)) + b
TYPES = {'F32': (0, 1, 4), 'F16': (1, 1, 2), 'Q4_0': (2, 32, 18), 'Q8_0': (8, 32, 34), 'Q4_K': (12, 256, 144), 'Q6_K': (14, 256, 210)}
def gguf(tensors, align=32, shift=0, cut=0, magic=b'GGUF'):
    kv = [('general.architecture', 8, gs('llama')), ('general.name', 8, gs('tiny-test')),
          ('llama.context_length', 4, struct.pack('<I', 2048)), ('llama.embedding_length', 4, struct.pack('<I', 256)),
          ('general.alignment', 4, struct.pack('<I', align))]
    h = magic + struct.pack('<IQQ', 3, len(tensors), len(kv))
    for a, t, v in kv:
        h += gs(a) + struct.pack('<I', t) + v
    off, blob = 0, b''
    for i, (name, ty, ne) in enumerate(tensors):
        num, blk, bs = TYPES[ty]
        size = prod(ne) // blk * bs
        h += gs(name) + struct.pack('<I', len(ne)) + b''.join(struct.pack('<Q', x) for x in ne)
        h += struct.pack('<IQ', num, off + (shift if i else 0))
        blob += bytes((i + j) % 256 for j in range(size)) + bytes(-size % align)
        off += size + -size % align
    h += bytes(-len(h) % align)
    r = h + blob
    return r[:len(r) - cut] if cut else r
G = [('token_embd.weight', 'Q4_0', (256, 8)), ('blk.0.attn_q.weight', 'Q8_0', (256, 4)), ('blk.0.ffn_down.weight', 'Q6_K', (256, 2)), ('output_norm.weight', 'F32', (256,))]
put('tiny.gguf', gguf(G))
put('tiny-q8.gguf', gguf([(G[0][0], 'Q8_0', G[0][2])] + G[1:]))
put('badalign.gguf', gguf(G, shift=4))
put('cut.gguf', gguf(G, cut=700))
put('ggml.bin', gguf(G, magic=b'lmgg'))

# ---- onnx
def vi(x):
    o = b''
    while True:
        b = x & 127; x >>= 7
        o += bytes([b | (128 if x else 0)])
        if not x: return o
def v(f, x): return vi(f << 3) + vi(x)
def m(f, b):
    b = b.encode() if isinstance(b, str) else b
    return vi(f << 3 | 2) + vi(len(b)) + b
def tensor(name, dims, data=None, ext=None, dtype=1):
    o = b''.join(v(1, d) for d in dims) + v(2, dtype) + m(8, name)
    if ext:
        for a, b in ext: o += m(13, m(1, a) + m(2, b))
        o += v(14, 1)
    else:
        o += m(9, data)
    return o
def vinfo(name, dims, dtype=1):
    sh = b''.join(m(1, m(2, d) if isinstance(d, str) else v(1, d)) for d in dims)
    return m(1, name) + m(2, m(1, v(1, dtype) + m(2, sh)))
def onnx(inits, inp, out):
    node = m(1, 'x') + m(1, 'conv.W') + m(1, 'conv.B') + m(2, 'y') + m(3, 'conv0') + m(4, 'Conv')
    g = m(1, node) + m(2, 'g') + b''.join(m(5, t) for t in inits) + m(11, inp) + m(12, out)
    return v(1, 8) + m(2, 'byhand') + m(7, g) + m(8, m(1, '') + v(2, 17))
Wd = pack([float(i) for i in range(216)], 'f4'); Bd = pack([float(i) for i in range(8)], 'f4')
I = vinfo('x', ('N', 3, 8, 8)); O = vinfo('y', ('N', 8, 6, 6))
put('model.onnx', onnx([tensor('conv.W', (8, 3, 3, 3), Wd), tensor('conv.B', (8,), Bd)], I, O))
put('model2.onnx', onnx([tensor('conv.W', (8, 3, 5, 5), pack([0.0] * 600, 'f4')), tensor('conv.B', (8,), Bd)], I, O))
E = [('location', 'ext.bin'), ('offset', '64'), ('length', '864')]
put('ext.onnx', onnx([tensor('conv.W', (8, 3, 3, 3), ext=E), tensor('conv.B', (8,), Bd)], I, O))
put('ext.bin', bytes(64) + Wd)
E2 = [('location', 'gone.bin'), ('offset', '0'), ('length', '864')]
put('ext_missing.onnx', onnx([tensor('conv.W', (8, 3, 3, 3), ext=E2), tensor('conv.B', (8,), Bd)], I, O))

# ---- torch.save zip, pickled by hand through stand-in modules
class FloatStorage: pass
def _rebuild_tensor_v2(*a): pass
class Ten:
    def __init__(s, key, n, size, stride): s.key, s.n, s.size, s.stride = key, n, size, stride
    def __reduce__(s):
        return (_rebuild_tensor_v2, (Sto(s.key, s.n), 0, s.size, s.stride, False, {}))
class Sto:
    def __init__(s, key, n): s.key, s.n = key, n
torch = types.ModuleType('torch'); tu = types.ModuleType('torch._utils'); torch._utils = tu
torch.FloatStorage = FloatStorage; FloatStorage.__module__ = 'torch'
tu._rebuild_tensor_v2 = _rebuild_tensor_v2; _rebuild_tensor_v2.__module__ = 'torch._utils'
saved = {k: sys.modules.get(k) for k in ('torch', 'torch._utils')}
sys.modules['torch'], sys.modules['torch._utils'] = torch, tu
class P(pickle.Pickler):
    def persistent_id(s, o):
        return ('storage', FloatStorage, o.key, 'cpu', o.n) if isinstance(o, Sto) else None
buf = io.BytesIO(); P(buf, 2).dump({'fc.weight': Ten('0', 12, (4, 3), (1, 4)), 'fc.bias': Ten('1', 4, (4,), (1,))})
with zipfile.ZipFile('model.pt', 'w') as z:
    for nme, b in (('data.pkl', buf.getvalue()), ('byteorder', b'little'), ('data/0', pack(c, 'f4')), ('data/1', pack(c[:4], 'f4')), ('version', b'3\n')):
        z.writestr(zipfile.ZipInfo('archive/' + nme, (1980, 1, 1, 0, 0, 0)), b)

# ---- an image, and a log
def chunk(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))
put('cat.png', b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 5, 3, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + bytes(15) for _ in range(3)))) + chunk(b'IEND', b''))
put('desc.json', json.dumps({"DataType": "DML_TENSOR_DATA_TYPE_FLOAT16", "Flags": "DML_TENSOR_FLAG_NONE", "DimensionCount": 4, "Sizes": [1, 3, 4, 5], "Strides": [64, 1, 16, 3], "TotalTensorSizeInBytes": 120, "GuaranteedBaseOffsetAlignment": 0}, indent=2).encode())
put('onednn.log', b'''onednn_verbose,v1,info,oneDNN v3.5.3 (commit 66f0cb9eb66affd2da3bf5f8d897376f04aae6af)
onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src_f32::blocked:abcd::f0 dst_f32::blocked:aBcd16b::f0,,,1x32x7x7,0.0439453
onednn_verbose,v1,primitive,exec,cpu,convolution,jit:avx512_core,forward_inference,src_f32::blocked:aBcd16b::f0 wei_f32::blocked:ABcd16b16a::f0 bia_f32::blocked:a::f0 dst_f32::blocked:aBcd16b::f0,attr-scratchpad:user,alg:convolution_direct,mb1_ic32oc64_ih7oh7kh3sh1dh0ph1_iw7ow7kw3sw1dw0pw1,0.12
''')
put('shapes.txt', b'1x3x224x224\n8x128\n2x3x4\n')
