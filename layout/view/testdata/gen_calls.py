"""What PyTorch 1.13 makes of calls of each step with too few, too many, wrong and right arguments: gen_calls.py > calls.txt.

Below each shape are its calls, with sizes @ strides + offset, or nothing where PyTorch refuses. Calls are left out that
layoutcalc takes as later versions do (squeeze of several axes), or of which a scalar has other rules.
"""
import torch
shapes={'2x3x4':(2,3,4),'1x3x1x2':(1,3,1,2),'6':(6,),'2x3':(2,3),'[]':(),'2x0x3':(2,0,3)}
calls=[]
def add(n,*argl):
    for a in argl: calls.append(f'{n}({a})')
for n in ('transpose','swapaxes','swapdims','movedim','moveaxis'):
    add(n,'','0','0,1','1,0','0,0','-1,0','0,3','0,-4','0,1,2','-3,2','2,-3')
add('permute','0','0,1','1,0','2,0,1','0,1,2','(2,1,0)','0,0,1','-1,0,1','0,1,3','0,1,2,3','3,2,1,0','')
add('t','','0'); add('squeeze','','0','1','-1','2','3','-5','-4','0,1')
add('unsqueeze','','0','1','-1','2','3','4','-4','-5','5','0,1')
add('select','','0','0,0','0,1','0,2','0,-2','0,-3','1,2','3,0','-1,-1','0,0,0')
add('narrow','','0','0,0','0,0,1','0,1,1','0,1,2','0,-1,1','1,0,3','1,0,4','1,3,0','1,4,0','0,0,-1','0,0,1,1','0,0,0')
add('flatten','','0','1','0,1','1,0','1,2','-2,-1','0,3','0,1,2','2','-1')
add('unflatten','','0','0,(2,1)','0,(1,2)','1,(3,1)','1,(-1,3)','1,(2,2)','0,()','0,(-1,-1)')
add('expand','','2,3,4','-1,-1,-1','5,2,3,4','2,3','3,3,4','-1,2,3,4','6','2,6','(2,3)','3','2','2,2,3')
add('reshape','6,4','-1','4,-1','5,-1','-1,-1','24','2,3,4','0','0,3','0,-1','','6','2,3','3,2','-2')
add('view','6,4','-1','4,-1','5,-1','-1,-1','24','0','','6','2,3','-2')
add('diagonal','','0','1','-1','0,0,1','0,1,0','5','-5','0,0,0','0,0,3','1,1,2','-2,0,2','0,0,1,2','2,1,2','0,-1,0')
add('unfold','','0','0,1','0,1,1','1,3,1','1,2,1','1,2,2','1,4,1','1,0,1','1,1,0','1,-1,1','1,2,-1','0,1,1,1','-1,2,1','3,1,1')
add('as_strided','','(2,3)','(2,3),(3,1)','(2,3),(3,1),0','(2,3),(3,1),1','(2,2),(1,1),-1','(2,3),(3,)','(2,),(1,),2','(2,3),(3,1),0,0','(2,),(-1,)','(2,),1','(2,2),1','2,2')
add('ravel','','0'); add('contiguous','','0')
add('repeat','','2','2,1','1,2,1','2,2,2','-1,1,1','0,1,1','1,1,1,1','2,1,1,1,1')
calls+='''chunk(2)[0] chunk(2)[1] chunk(2,1)[1] chunk(5,1)[2] chunk(5,1)[3] chunk(0)[0] chunk(-1)[0] chunk(2,3)[0] chunk()[0]
chunk(2,1,0)[0] chunk(1,1)[0] chunk(3,2)[1] chunk(3,2)[-1] split(1,1)[2] split(2,1)[1] split(3,1)[0] split(4,1)[0] split(0,1)[0]
split(-1,1)[0] split(1)[0] split([1,2],1)[1] split([1,1],1)[0] split([1,3],1)[0] split([3,0],1)[1] split(2,1,0)[0] split()[0]
split([-1,4],1)[0] split(2)[1] split(3)[0] split(6)[0] split(6)[1] split(0)[0] split(1,1)[1] split([0,0],1)[1] chunk(2,1)[0] unbind()[0] unbind()[1] unbind(1)[2] unbind(1)[3] unbind(3)[0] unbind(0,1)[0] unbind(-1)[0] T mT'''.split()
others={'squeeze(0,1)','unflatten(0,())'}
scalars=('permute()','expand()','reshape()','view()','repeat()','unfold(0,1,1)','flatten(','T','mT')
for sh,dims in shapes.items():
    print(sh)
    for c in calls:
        if c in others or not dims and c.startswith(scalars): continue
        x=torch.zeros(dims)
        j=lambda l: ','.join(map(str,l))
        try:
            y=eval('x.'+c)
            copied = ' copied' if y.numel() and y.storage().data_ptr()!=x.storage().data_ptr() else ''
            print(f'\t{c} = {j(y.shape)} @ {j(y.stride())} + {y.storage_offset()}{copied}')
        except (RuntimeError,TypeError,IndexError,ValueError):
            print('\t'+c)
