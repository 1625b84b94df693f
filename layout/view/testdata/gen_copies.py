"""What PyTorch 1.13 and NumPy 1.24 make of steps that copy, of tensors in all kinds of orders: gen_copies.py torch >
copies.txt, gen_copies.py numpy > numpy_copies.txt.

A line with sizes and a view of them has its steps below: sizes @ strides + offset, whether it copies, the type if it is
another one, and whether the step returns the very tensor; nothing where it is refused. Strides of NumPy count elements.
Left out are calls that layoutcalc refuses, because versions differ or it does not know the device of the tensor, empty
results of NumPy, whose strides are 0, and steps along axes of scalars.
"""
import sys
import numpy as np
import torch

VIEWS = '''[] x
6 x
2x3 x
2x3x4 x
2x3x4 x.permute(2,0,1)
2x3x4 x.permute(1,2,0)
2x3x4 x[:,1:]
2x3x4 x[:,:,::2].transpose(0,1)
2x1x4 x.expand(2,3,4)
1x3x1 x.expand(2,3,4).permute(2,1,0)
2x1x4 x.transpose(0,2)
2x0x3 x
2x0x3 x.permute(2,1,0)
2x3x4x5 x
2x4x5x3 x.permute(0,3,1,2)
2x4x5x1 x.permute(0,3,1,2)
1x4x5x3 x.permute(0,3,1,2)
1x4x5x1 x
2x1x1x3 x.permute(0,3,1,2)
2x3x1x1 x
2x0x5x3 x.permute(0,3,1,2)
2x4x5x6 x.permute(0,3,1,2)[:,:3]
2x3x4x5 x[:,:,:,1]
1x1x5x3 x.expand(2,4,5,3).permute(0,3,1,2)
2x4x1x3 x.expand(2,4,5,3).permute(0,3,1,2)
2x4x5x1 x.expand(2,4,5,3).permute(0,3,1,2)
2x2x4x5x3 x.permute(0,4,1,2,3)'''
STEPS = '''clone() clone(memory_format=torch.channels_last) clone(memory_format=torch.contiguous_format)
clone(memory_format=torch.preserve_format) clone(memory_format=torch.channels_last_3d) clone(1)
contiguous() contiguous(memory_format=torch.channels_last) contiguous(memory_format=torch.contiguous_format)
contiguous(memory_format=torch.channels_last_3d) to(torch.float16) to(torch.float32) to(dtype=torch.float64)
to(memory_format=torch.channels_last) to(memory_format=torch.contiguous_format) to(memory_format=torch.preserve_format)
to(memory_format=torch.channels_last_3d) to(torch.float16,memory_format=torch.channels_last)
to(torch.float32,memory_format=torch.channels_last) to(torch.float32,copy=True) to(torch.float32,copy=False)
to(torch.float16,True) to(torch.float32,memory_format=torch.contiguous_format,copy=True)
to(torch.int,non_blocking=True) half() float() double() int() bool() long() short() char() byte() bfloat16() to(dtype=torch.int8)
to('cpu') to(device='cpu') to(torch.device('cpu')) to('cpu',torch.float16) half(1) detach()
flip(0) flip(-1) flip(0,1) flip((0,)) flip((0,0)) flip(9) flip() rot90() rot90(1) rot90(2,(0,1)) rot90(3,(1,0))
rot90(4,(0,1)) rot90(-1,(0,-1)) rot90(1,(0,)) rot90(1,(0,0)) rot90(1,(0,1,2)) roll(1) roll(1,0) roll((1,2),(0,1))
repeat(1,2) repeat(2,1,1) repeat(1,2,1,3) repeat((2,1,1,1)) repeat(0,1,1) repeat(-1,1,1) repeat(2)
tile(2) tile(1) tile(1,1,1,1,1) tile(2,1) tile((1,2,1)) tile(1,2,1,1) tile(0) tile(-1)
new_empty((2,3)) new_zeros(2,3) new_ones((2,3),dtype=torch.float16) new_full((2,3),7) new_full((2,3),7,dtype=torch.int)
new_full((2,3)) new_full((),7) new_zeros(()) new_full(2,3) new_zeros((-1,3)) new_zeros(2,(3,)) reshape(-1) reshape(2,-1) flatten() ravel() flatten(0,1) unsqueeze(0).clone()'''.split()
LIKE = '''empty_like() zeros_like(dtype=torch.float16)
ones_like(memory_format=torch.contiguous_format) rand_like(memory_format=torch.channels_last) full_like(7)
full_like(7,dtype=torch.int64) full_like()'''.split()
ARRAYS = '''[] x
6 x
2x3 x
2x3x4 x
2x3x4 x.T
2x3x4 x.transpose(2,0,1)
2x3x4 x.transpose(1,0,2)
2x3x4 x[:,::2]
2x3x4 x[:,::-1]
2x3x4 x[::-1,:,::-1].T
2x3 x[1]
5 x[::-2]'''
METHODS = [f"{name}{rest}" for name in ('copy', 'ravel', 'flatten') for rest in (
    '()', "('C')", "('F')", "('A')", "('K')", "(order='F')", "('X')", "('CF')", '(1)')] + '''
astype('f4') astype('f8') astype('f4','C') astype('f4',order='F') astype('f4','A') astype('f8','A') astype('f8','K')
astype('f4',copy=False) astype('f8',copy=False) astype('f8','C',copy=False) astype('f8','F',copy=False)
astype('f8','A',copy=False) astype('f4','X') astype() astype(np.float32) astype(float) astype(int) astype(complex) astype(np.dtype('i2'))
repeat(2) repeat(2,0) repeat(2,-1) repeat(0,0) repeat(-1) repeat(2,9) reshape(-1) reshape((-1,),order='F')
reshape(-1,1,order='A') reshape((2,-1),order='F') reshape(-1,order='K') T.copy() swapaxes(0,-1).copy()'''.split()
FUNCTIONS = '''copy() copy('C') copy('F') copy('A') copy(order='K') array() array('f4') array('f8',copy=False)
array('f4',copy=False) array(order='F') array(order='C',copy=False) array(order='F',copy=False) array('f8',order='A') array('f8') array('f8',order='F') array(np.dtype('f8')) array(float)
array(order='A') ascontiguousarray() ascontiguousarray('f4') ascontiguousarray('f8') asfortranarray()
asfortranarray('f4') asfortranarray('f8') empty_like() empty_like('f4') zeros_like('f4','C') ones_like(order='F') empty_like(order='A')
full_like(7) full_like(7,'f4') full_like(7,order='C') full_like() flip() flip(0) flip(-1) flip((0,)) flip(9)
rot90() rot90(1) rot90(2) rot90(3) rot90(4) roll(1) roll(1,0) tile(2) tile(1) tile((2,1))
tile((1,2,1)) tile((1,1,1,1)) tile(0) repeat(2) repeat(2,0) expand_dims(0) expand_dims(-1) expand_dims((0,2))
expand_dims((0,0)) expand_dims(9) squeeze() broadcast_to((2,2,3,4)) broadcast_to((2,6)) moveaxis(0,-1)
split(2)[1] split(1)[0] split(3,-1)[2] split([1],-1)[1] split([1,2],-1)[-1] split([-1],-1)[0] split([5],0)[1]
split([1],9)[0] split(2,0)[2]'''.split()


def functions(module, steps):
    return [module + s.replace('()', '(x)', 1) if '()' in s else module + s.replace('(', '(x,', 1) for s in steps]


def methods(steps):
    return ['x.' + s for s in steps]


def joined(numbers):
    return ','.join(map(str, numbers))


def of_torch(step, x, root):
    if 'roll' in step and x.numel() and x.dim() > 3 and (x.stride(1) == 1 or 0 in x.stride()):
        return None
    if 'cpu' in step and (x.storage_offset() or x.clone().stride() != x.stride()) or not x.dim() and 'flip' in step:
        return None
    y = eval(step)
    text = f'{joined(y.shape)} @ {joined(y.stride())} + {y.storage_offset()}'
    if y.numel() and y.storage().data_ptr() != x.storage().data_ptr():
        text += ' copied'
    if y.dtype != x.dtype:
        text += ' ' + str(y.dtype).split('.')[1]
    return text + ' itself' * (y is x)


def of_numpy(step, x, root):
    if x.ndim == 0 and any(f in step for f in ('repeat', 'swap', 'flip', 'tile', 'move')):
        return None
    y = eval(step)
    if y.size == 0:
        return None
    shared = np.shares_memory(x, y)
    base = (y.ctypes.data - root.ctypes.data) // 4 if shared else 0
    text = f'{joined(y.shape)} @ {joined(s // y.itemsize for s in y.strides)} + {base}'
    return text + ' copied' * (y.size > 0 and not shared) + f' {y.dtype}' * (y.dtype != x.dtype) + ' itself' * (y is x)


def lines(views, steps, of, make):
    for line in views.split('\n'):
        sizes, view = line.split(' ', 1)
        print(line)
        for step in steps:
            x = root = make([int(n) for n in sizes.strip('[]').split('x') if n])
            x = eval(view)
            try:
                if text := of(step, x, root):
                    print(f'\t{step} = {text}')
            except (RuntimeError, TypeError, IndexError, ValueError, ZeroDivisionError):
                print('\t' + step)


if sys.argv[1] == 'torch':
    lines(VIEWS, methods(STEPS) + functions('torch.', LIKE), of_torch, torch.zeros)
else:
    lines(ARRAYS, methods(METHODS) + functions('np.', FUNCTIONS), of_numpy, lambda sizes: np.zeros(sizes, 'f4'))
