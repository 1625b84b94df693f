@echo off
rem Quotes: none, double ones, and single ones as the documents have them.
layoutcalc strides 1x3x224x224 NHWC -o plain
layoutcalc strides 1,3,224,224 NHWC -o plain
layoutcalc strides "1, 3, 224, 224" 'NHWC' -o plain
layoutcalc view 2x3x4 'permute(0,2,1)' -o plain
layoutcalc view 2x3x4 '[:, 1:3]' -o plain
layoutcalc view 2x3x4 "permute(0,2,1)" "[:, 1:3]" -o plain
layoutcalc compare "f32[2,3]{0,1}" "memref<2x3xf32, strided<[1, 2]>>" -o plain
rem Wrong texts, of which many cannot be paths, and what to type instead.
layoutcalc strides "memref<2x3"
echo exit %errorlevel%
layoutcalc strides "2x3 relu?"
layoutcalc strides NHWC-^>NCHW
layoutcalc view 2x3
layoutcalc view 2x3 "permute(1,0)" -o plain
layoutcalc strides 2xy || echo failed
rem Files, pipes, redirections, devices.
echo 2x3x4> shape.txt
layoutcalc strides @shape.txt -o plain
layoutcalc strides .\shape.txt -o plain
type shape.txt | layoutcalc strides - -o plain
layoutcalc size 2x3 -o plain > size.txt && type size.txt
layoutcalc strides nul.npy
for %%s in (2x3 4x5) do layoutcalc strides %%s WH -o plain
layoutcalc strides 2x3 --ascii
rem Patterns, which cmd.exe does not expand, and paths for people and for programs.
mkdir models\old
echo {"dtype": "int8", "sizes": [2, 3], "strides": [1, 1], "role": "output"}> models\a.jsonl
echo {"dtype": "int8", "sizes": [2, 3]}> models\old\b.jsonl
layoutcalc check models\*.jsonl -o plain
echo exit %errorlevel%
layoutcalc check models\** -o csv
layoutcalc check MODELS\**\B.* --get files
layoutcalc check none\*.jsonl
rem A baseline knows a path in letters of another case.
layoutcalc check models --write-baseline known.json
layoutcalc check MODELS\A.JSONL --baseline KNOWN.json
echo exit %errorlevel%
rem Data and pictures: an old file is replaced, and stays read-only.
layoutcalc convert 2x3 HW WH -t u8 --in shape.txt --out moved.bin -q
layoutcalc strides 2x3 --svg picture.svg -o plain
attrib +r picture.svg
layoutcalc strides 4x5 --svg picture.svg -o plain
if exist picture.svg echo there
