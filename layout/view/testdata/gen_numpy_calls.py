"""What NumPy 1.24 makes of methods with too few, too many, wrong and right arguments, as gen_calls.py has PyTorch's:
gen_numpy_calls.py > numpy_calls.txt. Strides count elements."""
import numpy as np
shapes = {'2x3x4': (2, 3, 4), '1x3x1x2': (1, 3, 1, 2), '6': (6,), '2x3': (2, 3)}
calls = ['T']
for name, arguments in {
    'transpose': '; 0; 0,1; 1,0; 1,0,2; (2,1,0); 0,0,1; 0,1,3; -1,0,1; 0,1,2,3; 3,2,1,0',
    'swapaxes': '; 0; 0,1; 1,0; 0,0; -1,0; 0,3; 0,-4; 0,1,2; -3,2',
    'squeeze': '; 0; 2; -1; -2; 1; 4; 0,1',
    'ravel': '', 'flatten': '', 'repeat': '; 2; 2,0; 2,1; 2,-1; 2,3; 1,0; 1,0,1',
    'reshape': '6,4; -1; 4,-1; 5,-1; -1,-1; 24; 2,3,4; 6; 2,3; 3,2; (3,2)',
    'diagonal': '; 0; 1; -1; 0,0,1; 0,1,0; 0,0,0; 0,0,3; 1,1,2; -2,0,2; 0,2,1',
}.items():
    calls += [f'{name}({a.strip()})' for a in arguments.split(';')]
for order in 'CFAK':
    calls += [f"{before}{name}('{order}')" for before in ('', 'T.', 'swapaxes(0,-1).', 'T[::2].')
              for name in ('copy', 'ravel', 'flatten')]
    calls += [f"reshape((-1,2),order='{order}')", f"T.reshape((-1,2),order='{order}')"] # of which there is no K
functions = ['rot90()', 'rot90(1)', 'rot90(2)', 'rot90(3)', 'rot90(4)', 'rot90(-1)', 'rot90(1,(0,1))', 'rot90(2,(1,0))',
             'rot90(3,(1,0))', 'rot90(1,(0,))', 'rot90(1,(0,0))', 'rot90(1,(0,3))', 'rot90(1,(0,-1))', 'flip()', 'flip(0)',
             'flip(1)', 'flip(-1)', 'flip(3)', 'flip((0,1))', 'flip((0,0))',
             'split(2)[1]', 'split(2,0)[1]', 'split(3,1)[2]', 'split(2,1)[0]', 'split(3,1)[3]', 'split(4,-1)[3]', 'split(0)[0]']
windows = 'sliding_window_view'
functions += [f'{windows}({a})' for a in (
    '', '2', '3', '7', '0', '-1', '(2,)', '(2,2)', '(1,2,2)', '(1,3,1,2)', '2,0', '2,-1', '2,axis=1', '(2,2),(0,1)',
    '(2,2),(1,1)', '(2,3),(1,1)', '(2,2),axis=(-1,0)', '2,None', '2,5', '(2,2),0', '1,0,writeable=True', '2,(1,)')]
for shape, sizes in shapes.items():
    print(shape)
    for call in calls + functions:
        if 1 in sizes and "copy('K')" in call:
            continue # the strides of axes of size 1, which do not matter
        x = np.zeros(sizes)
        try:
            module = 'np.lib.stride_tricks.' if windows in call else 'np.'
            code = module + call.replace('(', '(x,', 1) if call in functions else 'x.' + call
            y = eval(code)
            text = [','.join(map(str, n)) for n in (y.shape, [s // 8 for s in y.strides])]
            shared = np.shares_memory(x, y)
            base = (y.ctypes.data - x.ctypes.data) // 8 if shared else 0
            print(f"\t{call} = {text[0]} @ {text[1]} + {base}{' copied' if y.size and not shared else ''}")
        except (ValueError, TypeError, IndexError, ZeroDivisionError):
            print('\t' + call)
