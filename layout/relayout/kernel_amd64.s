//go:build !purego

#include "textflag.h"

// Every strip kernel reads some rows of the source, 16 bytes of each at a time, writes the elements
// of one column side by side, and goes on with the next rows. DI is the target, R8 to R14 and AX are
// the rows, SI is how far they are read and R15 how far from them the bytes are that are fetched ahead,
// DX advances through the offsets of the columns, and CX counts blocks of 16 bytes.

#define ROW(i, r) MOVQ i*8(BX), r; ADDQ SI, r
#define AHEAD(r) PREFETCHT0 (r)(R15*1)

#define STRIP \
	MOVQ dst+0(FP), DI    \
	MOVQ src+8(FP), SI    \
	MOVQ rows+16(FP), BX  \
	MOVQ cols+24(FP), DX  \
	MOVQ blocks+32(FP), CX \
	MOVQ ahead+40(FP), R15

// MORE goes on with the next rows, if there are any. In the columns their elements are that many bytes further.
#define MORE(count, bytes, strip) \
	ADDQ $(8*count), rows+16(FP) \
	ADDQ $bytes, dst+0(FP) \
	DECQ strips+48(FP) \
	JNZ  strip \
	RET

// PLANES3 takes the arguments of the kernels for 3 planes: R8 to R10 are the outputs, R11 to R13 the inputs.
#define PLANES3 \
	MOVQ  dst+0(FP), DI \
	MOVQ  src+8(FP), SI \
	MOVQ  outputs+16(FP), AX \
	MOVQ  inputs+24(FP), BX \
	MOVQ  masks+32(FP), DX \
	MOVQ  blocks+40(FP), CX \
	MOVQ  dstStep+48(FP), R14 \
	MOVQ  srcStep+56(FP), R15 \
	MOVQ  (AX), R8 \
	MOVQ  16(AX), R9 \
	MOVQ  32(AX), R10 \
	MOVQ  (BX), R11 \
	MOVQ  8(BX), R12 \
	MOVQ  16(BX), R13

// SQUARE takes the arguments of the square kernels, but for what starts anew with each block.
#define SQUARE \
	MOVQ dst+0(FP), DI    \
	MOVQ src+8(FP), SI    \
	MOVQ cols+24(FP), DX  \
	MOVQ blocks+40(FP), R13 \
	MOVQ ahead+56(FP), R9 \
	MOVQ step+64(FP), R15 \
	ADDQ SI, R9

// GROUPS starts with the first rows, BLOCK with those of a block, STAGEBLOCK with those of a block of a stage, whose
// first column is at R8.
#define GROUPS \
	MOVQ rows+16(FP), BX \
	MOVQ coming+48(FP), R11 \
	MOVQ groups+32(FP), CX
#define BLOCK \
	GROUPS \
	MOVQ dst+0(FP), DI
#define STAGEBLOCK \
	GROUPS \
	MOVQ R8, DI

// BYTES takes the arguments of the kernels that pack and unpack.
#define BYTES \
	MOVQ dst+0(FP), DI \
	MOVQ src+8(FP), SI \
	MOVQ n+16(FP), CX

// PAIR interleaves a and b: the lower halves into a, the higher ones into t.
#define PAIR(low, high, a, b, t) MOVO a, t; low b, a; high b, t

// EIGHT interleaves the 8 rows in X0 to X7 in three steps. What comes out, in order, is in
// X0, X2, X1, X6, X8, X9, X5, X11.
#define EIGHT(l1, h1, l2, h2, l3, h3) \
	MOVOU (R8)(SI*1), X0     \
	MOVOU (R9)(SI*1), X1     \
	MOVOU (R10)(SI*1), X2    \
	MOVOU (R11)(SI*1), X3    \
	MOVOU (R12)(SI*1), X4    \
	MOVOU (R13)(SI*1), X5    \
	MOVOU (R14)(SI*1), X6    \
	MOVOU (AX)(SI*1), X7     \
	PAIR(l1, h1, X0, X1, X8)   \
	PAIR(l1, h1, X2, X3, X9)   \
	PAIR(l1, h1, X4, X5, X10)  \
	PAIR(l1, h1, X6, X7, X11)  \
	PAIR(l2, h2, X0, X2, X1)   \
	PAIR(l2, h2, X4, X6, X3)   \
	PAIR(l2, h2, X8, X9, X5)   \
	PAIR(l2, h2, X10, X11, X7) \
	PAIR(l3, h3, X0, X4, X2)   \
	PAIR(l3, h3, X1, X3, X6)   \
	PAIR(l3, h3, X8, X10, X9)  \
	PAIR(l3, h3, X5, X7, X11)

// ROWS4 points to the first 4 rows, and ROWS8 to the next 4; AHEAD4 and AHEAD8 fetch what they will need.
#define ROWS4 ROW(0, R8); ROW(1, R9); ROW(2, R10); ROW(3, R11)
#define ROWS8 ROW(4, R12); ROW(5, R13); ROW(6, R14); ROW(7, AX)
#define AHEAD4 AHEAD(R8); AHEAD(R9); AHEAD(R10); AHEAD(R11)
#define AHEAD8 AHEAD(R12); AHEAD(R13); AHEAD(R14); AHEAD(AX)

// NEXT advances to the next bytes of the rows, and to the offsets of their columns; ONWARD to the columns of a
// stage, which are 128 bytes apart.
#define NEXT(bytes, columns) ADDQ $bytes, SI; ADDQ $bytes, R15; ADDQ $(8*columns), DX; DECQ CX
#define ONWARD(bytes, columns) ADDQ $bytes, SI; ADDQ $bytes, R15; ADDQ $(128*columns), DI; DECQ CX

// PUT writes column i; PUT2 writes columns i and i+1, which share a register. STAGE and STAGE2 write columns
// of a stage. They read no table: reads from memory that is, in its physical address modulo 64 KB, where the
// stage is would wait for what was written to the stage, and make some processes half as fast.
#define PUT(i, x) MOVQ i*8(DX), BX; MOVOU x, (DI)(BX*1)
#define PUT2(i, x) MOVQ i*8(DX), BX; MOVQ x, (DI)(BX*1); MOVQ i*8+8(DX), BX; MOVHPS x, (DI)(BX*1)
#define STAGE(i, x) MOVOU x, i*128(DI)
#define STAGE2(i, x) MOVQ x, i*128(DI); MOVHPS x, i*128+128(DI)

#define STRIP1(loop, put2, next, strip) \
loop: \
	AHEAD4 \
	AHEAD8 \
	EIGHT(PUNPCKLBW, PUNPCKHBW, PUNPCKLWL, PUNPCKHWL, PUNPCKLLQ, PUNPCKHLQ) \
	put2(0, X0)   \
	put2(2, X2)   \
	put2(4, X1)   \
	put2(6, X6)   \
	put2(8, X8)   \
	put2(10, X9)  \
	put2(12, X5)  \
	put2(14, X11) \
	next(16, 16)  \
	JNZ loop      \
	MORE(8, 8, strip)

// func strip1(dst, src *byte, rows, cols *int, blocks, ahead, strips int)
TEXT ·strip1(SB), NOSPLIT, $0-56
next1:
	STRIP
	ROWS4
	ROWS8
	XORQ  SI, SI
	TESTQ DX, DX
	JZ    stage1
	STRIP1(loop1, PUT2, NEXT, next1)
	STRIP1(stage1, STAGE2, ONWARD, next1)

#define STRIP2(loop, put, next, strip) \
loop: \
	AHEAD4 \
	AHEAD8 \
	EIGHT(PUNPCKLWL, PUNPCKHWL, PUNPCKLLQ, PUNPCKHLQ, PUNPCKLQDQ, PUNPCKHQDQ) \
	put(0, X0)  \
	put(1, X2)  \
	put(2, X1)  \
	put(3, X6)  \
	put(4, X8)  \
	put(5, X9)  \
	put(6, X5)  \
	put(7, X11) \
	next(16, 8) \
	JNZ loop    \
	MORE(8, 16, strip)

// func strip2(dst, src *byte, rows, cols *int, blocks, ahead, strips int)
TEXT ·strip2(SB), NOSPLIT, $0-56
next2:
	STRIP
	ROWS4
	ROWS8
	XORQ  SI, SI
	TESTQ DX, DX
	JZ    stage2
	STRIP2(loop2, PUT, NEXT, next2)
	STRIP2(stage2, STAGE, ONWARD, next2)

// FOUR transposes 4 rows of 4 elements of 4 bytes, and writes the columns.
#define FOUR(put) \
	MOVOU (R8)(SI*1), X0 \
	MOVOU (R9)(SI*1), X1 \
	MOVOU (R10)(SI*1), X2 \
	MOVOU (R11)(SI*1), X3 \
	PAIR(PUNPCKLLQ, PUNPCKHLQ, X0, X1, X4) \
	PAIR(PUNPCKLLQ, PUNPCKHLQ, X2, X3, X5) \
	PAIR(PUNPCKLQDQ, PUNPCKHQDQ, X0, X2, X1) \
	PAIR(PUNPCKLQDQ, PUNPCKHQDQ, X4, X5, X3) \
	put(0, X0) \
	put(1, X1) \
	put(2, X4) \
	put(3, X3)

#define STRIP4(loop, put, next, strip) \
loop: \
	AHEAD4 \
	FOUR(put) \
	next(16, 4) \
	JNZ loop \
	MORE(4, 16, strip)

// func strip4(dst, src *byte, rows, cols *int, blocks, ahead, strips int)
TEXT ·strip4(SB), NOSPLIT, $0-56
next4:
	STRIP
	ROWS4
	XORQ  SI, SI
	TESTQ DX, DX
	JZ    stage4
	STRIP4(loop4, PUT, NEXT, next4)
	STRIP4(stage4, STAGE, ONWARD, next4)

#define STRIP8(loop, put, next, strip) \
loop: \
	AHEAD(R8) \
	AHEAD(R9) \
	MOVOU (R8)(SI*1), X0 \
	MOVOU (R9)(SI*1), X1 \
	PAIR(PUNPCKLQDQ, PUNPCKHQDQ, X0, X1, X2) \
	put(0, X0) \
	put(1, X2) \
	next(16, 2) \
	JNZ loop \
	MORE(2, 16, strip)

// func strip8(dst, src *byte, rows, cols *int, blocks, ahead, strips int)
TEXT ·strip8(SB), NOSPLIT, $0-56
next8:
	STRIP
	ROW(0, R8); ROW(1, R9)
	XORQ  SI, SI
	TESTQ DX, DX
	JZ    stage8
	STRIP8(loop8, PUT, NEXT, next8)
	STRIP8(stage8, STAGE, ONWARD, next8)

// COLUMN selects a column of the stage and its target, LINE writes 64 bytes of it, and NEXTCOLUMN
// advances to the next column.
#define COLUMN MOVQ (DX), BX; ADDQ DI, BX; MOVQ SI, R10
#define LINE(put) \
	MOVOU (R10), X0   \
	MOVOU 16(R10), X1 \
	MOVOU 32(R10), X2 \
	MOVOU 48(R10), X3 \
	put X0, (BX)      \
	put X1, 16(BX)    \
	put X2, 32(BX)    \
	put X3, 48(BX)    \
	ADDQ $64, R10     \
	ADDQ $64, BX      \
	CMPQ R10, R9
#define NEXTCOLUMN ADDQ R11, SI; ADDQ R11, R9; ADDQ $8, DX; DECQ CX

// func lines64(dst, buf *byte, cols *int, n, bytes, pitch int, past bool)
TEXT ·lines64(SB), NOSPLIT, $0-49
	MOVQ    dst+0(FP), DI
	MOVQ    buf+8(FP), SI
	MOVQ    cols+16(FP), DX
	MOVQ    n+24(FP), CX
	MOVQ    bytes+32(FP), R8
	MOVQ    pitch+40(FP), R11
	MOVBLZX past+48(FP), AX
	LEAQ    (SI)(R8*1), R9
	TESTL   AX, AX
	JNZ     past

near:
	COLUMN

nearline:
	LINE(MOVOU)
	JLT nearline
	NEXTCOLUMN
	JNZ near
	RET

past:
	COLUMN

pastline:
	LINE(MOVNTO)
	JLT pastline
	NEXTCOLUMN
	JNZ past
	RET

// func fence()
TEXT ·fence(SB), NOSPLIT, $0-0
	SFENCE
	RET

// func shuffleAny(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)
TEXT ·shuffleAny(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+48(FP), CX

block:
	MOVQ outputs+16(FP), R8
	MOVQ n+24(FP), R10
	MOVQ inputs+32(FP), R9
	MOVQ masks+40(FP), R11

output:
	MOVQ 8(R8), R12
	PXOR X0, X0

input:
	MOVQ   (R9), BX
	MOVOU  (SI)(BX*1), X1
	MOVOU  (R11), X2
	PSHUFB X2, X1
	POR    X1, X0
	ADDQ   $8, R9
	ADDQ   $16, R11
	DECQ   R12
	JNZ    input

	MOVQ  (R8), BX
	MOVOU X0, (DI)(BX*1)
	ADDQ  $16, R8
	DECQ  R10
	JNZ   output

	ADDQ dstStep+56(FP), DI
	ADDQ srcStep+64(FP), SI
	DECQ CX
	JNZ  block
	RET

// func shuffle3(dst, src *byte, outputs *output, inputs *int, masks *byte, blocks, dstStep, srcStep int)
TEXT ·shuffle3(SB), NOSPLIT, $0-64
	PLANES3
	MOVOU (DX), X6
	MOVOU 16(DX), X7
	MOVOU 32(DX), X8
	MOVOU 48(DX), X9
	MOVOU 64(DX), X10
	MOVOU 80(DX), X11
	MOVOU 96(DX), X12
	MOVOU 112(DX), X13
	MOVOU 128(DX), X14

three:
	MOVOU  (SI)(R11*1), X0
	MOVOU  (SI)(R12*1), X1
	MOVOU  (SI)(R13*1), X2
	MOVO   X0, X3
	MOVO   X1, X4
	MOVO   X2, X5
	PSHUFB X6, X3
	PSHUFB X7, X4
	PSHUFB X8, X5
	POR    X4, X3
	POR    X5, X3
	MOVOU  X3, (DI)(R8*1)
	MOVO   X0, X3
	MOVO   X1, X4
	MOVO   X2, X5
	PSHUFB X9, X3
	PSHUFB X10, X4
	PSHUFB X11, X5
	POR    X4, X3
	POR    X5, X3
	MOVOU  X3, (DI)(R9*1)
	PSHUFB X12, X0
	PSHUFB X13, X1
	PSHUFB X14, X2
	POR    X1, X0
	POR    X2, X0
	MOVOU  X0, (DI)(R10*1)
	ADDQ   R14, DI
	ADDQ   R15, SI
	DECQ   CX
	JNZ    three
	RET

// PAIRWIDE interleaves a and b within each half: the lower parts into t, the higher ones into a.
#define PAIRWIDE(low, high, a, b, t) low b, a, t; high b, a, a

// PUTWIDE writes column i from the lower half of the register, and column k from the upper one; STAGEWIDE
// writes columns of a stage.
#define PUTWIDE(i, k, x, y) MOVQ i*8(DX), BX; VMOVDQU x, (DI)(BX*1); MOVQ k*8(DX), BX; VEXTRACTI128 $1, y, (DI)(BX*1)
#define STAGEWIDE(i, k, x, y) VMOVDQU x, i*128(DI); VEXTRACTI128 $1, y, k*128(DI)

#define STRIP4WIDE(loop, even, put, putwide, next, strip) \
loop: \
	AHEAD4 \
	VMOVDQU (R8)(SI*1), Y0 \
	VMOVDQU (R9)(SI*1), Y1 \
	VMOVDQU (R10)(SI*1), Y2 \
	VMOVDQU (R11)(SI*1), Y3 \
	PAIRWIDE(VPUNPCKLDQ, VPUNPCKHDQ, Y0, Y1, Y4) \
	PAIRWIDE(VPUNPCKLDQ, VPUNPCKHDQ, Y2, Y3, Y5) \
	PAIRWIDE(VPUNPCKLQDQ, VPUNPCKHQDQ, Y4, Y5, Y6) \
	PAIRWIDE(VPUNPCKLQDQ, VPUNPCKHQDQ, Y0, Y2, Y7) \
	putwide(0, 4, X6, Y6) \
	putwide(1, 5, X4, Y4) \
	putwide(2, 6, X7, Y7) \
	putwide(3, 7, X0, Y0) \
	next(32, 8) \
	JNZ  loop \
	VZEROUPPER \
	TESTQ $1, AX \
	JZ   even \
	FOUR(put) \
even: \
	MORE(4, 16, strip)

// func strip4wide(dst, src *byte, rows, cols *int, blocks, ahead, strips int)
TEXT ·strip4wide(SB), NOSPLIT, $0-56
next4wide:
	STRIP
	ROWS4
	XORQ  SI, SI
	MOVQ  CX, AX
	SHRQ  $1, CX
	TESTQ DX, DX
	JZ    widestage4
	STRIP4WIDE(wide4, even4, PUT, PUTWIDE, NEXT, next4wide)
	STRIP4WIDE(widestage4, evenstage4, STAGE, STAGEWIDE, ONWARD, next4wide)

// BOTH loads 16 bytes of each of two blocks; LANES stores them.
#define BOTH(r, x, y) VMOVDQU (SI)(r*1), x; VINSERTI128 $1, (AX)(r*1), y, y
#define LANES(r, x, y) VMOVDQU x, (DI)(r*1); VEXTRACTI128 $1, y, (BX)(r*1)

// PICK combines the output of three masks in Y3.
#define PICK(a, b, c) \
	VPSHUFB a, Y0, Y3  \
	VPSHUFB b, Y1, Y4  \
	VPSHUFB c, Y2, Y5  \
	VPOR    Y4, Y3, Y3 \
	VPOR    Y5, Y3, Y3

// func shuffle3wide(dst, src *byte, outputs *output, inputs *int, masks *byte, blocks, dstStep, srcStep int)
TEXT ·shuffle3wide(SB), NOSPLIT, $0-64
	PLANES3
	SHRQ $1, CX
	VBROADCASTI128 (DX), Y6
	VBROADCASTI128 16(DX), Y7
	VBROADCASTI128 32(DX), Y8
	VBROADCASTI128 48(DX), Y9
	VBROADCASTI128 64(DX), Y10
	VBROADCASTI128 80(DX), Y11
	VBROADCASTI128 96(DX), Y12
	VBROADCASTI128 112(DX), Y13
	VBROADCASTI128 128(DX), Y14

wide:
	LEAQ (SI)(R15*1), AX
	LEAQ (DI)(R14*1), BX
	BOTH(R11, X0, Y0)
	BOTH(R12, X1, Y1)
	BOTH(R13, X2, Y2)
	PICK(Y6, Y7, Y8)
	LANES(R8, X3, Y3)
	PICK(Y9, Y10, Y11)
	LANES(R9, X3, Y3)
	PICK(Y12, Y13, Y14)
	LANES(R10, X3, Y3)
	LEAQ (AX)(R15*1), SI
	LEAQ (BX)(R14*1), DI
	DECQ CX
	JNZ  wide
	VZEROUPPER
	RET

// func shuffleAnyWide(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)
TEXT ·shuffleAnyWide(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+48(FP), CX
	MOVQ dstStep+56(FP), R14
	MOVQ srcStep+64(FP), R15
	SHRQ $1, CX

blockwide:
	LEAQ (SI)(R15*1), AX
	LEAQ (DI)(R14*1), BX
	MOVQ outputs+16(FP), R8
	MOVQ n+24(FP), R10
	MOVQ inputs+32(FP), R9
	MOVQ masks+40(FP), R11

outputwide:
	MOVQ  8(R8), R12
	VPXOR Y0, Y0, Y0

inputwide:
	MOVQ           (R9), DX
	BOTH(DX, X1, Y1)
	VBROADCASTI128 (R11), Y2
	VPSHUFB        Y2, Y1, Y1
	VPOR           Y1, Y0, Y0
	ADDQ           $8, R9
	ADDQ           $16, R11
	DECQ           R12
	JNZ            inputwide

	MOVQ (R8), DX
	LANES(DX, X0, Y0)
	ADDQ $16, R8
	DECQ R10
	JNZ  outputwide

	LEAQ (AX)(R15*1), SI
	LEAQ (BX)(R14*1), DI
	DECQ CX
	JNZ  blockwide
	VZEROUPPER
	RET

// The square kernels move whole lines in and whole lines out: 64 bytes of as many rows as make up a
// line of a column, so that neither side has to stay in a cache. SI is the source, R9 what is fetched ahead, BX
// advances through the rows and R11 through those that are fetched, DI is the target of these rows, CX counts groups
// of rows. DX are the columns of a block, and R13 counts blocks.

// NEXTROWS advances to the next rows, NEXTGROUP also to the next line of the columns.
#define NEXTROWS(rows) ADDQ $(8*rows), BX; ADDQ $(8*rows), R11
#define NEXTGROUP(rows) NEXTROWS(rows); ADDQ $64, DI; DECQ CX

// NEXTBLOCK advances to the next block, NEXTSTAGE to that of a stage.
#define NEXTBLOCK(columns) ADDQ $(8*columns), DX; ADDQ $64, SI; ADDQ R15, R9; DECQ R13
#define NEXTSTAGE(columns) ADDQ $(128*columns), R8; ADDQ $64, SI; ADDQ R15, R9; DECQ R13

// GET reads a line of row i, and fetches what the row will need.
#define GET(i, z) MOVQ (i)*8(BX), AX; VMOVDQU64 (SI)(AX*1), z; MOVQ (i)*8(R11), AX; PREFETCHT1 (R9)(AX*1)

// BOTHZ interleaves a and b: the lower parts into x, the higher ones into y.
#define BOTHZ(low, high, a, b, x, y) low b, a, x; high b, a, y

// QUARTERS exchanges quarters of a and b: the even ones are put into x, the odd ones into y.
#define QUARTERS(a, b, x, y) VSHUFI32X4 $0x88, b, a, x; VSHUFI32X4 $0xdd, b, a, y

// NEAR and PAST write a line of column i, STAGEZ one of column i of a stage. KEEP keeps it, and PAIR writes what was
// kept and the line after it past the caches: pairs of lines are written fastest.
#define NEAR(i, z) MOVQ (i)*8(DX), AX; VMOVDQU64 z, (DI)(AX*1)
#define PAST(i, z) MOVQ (i)*8(DX), AX; VMOVNTDQ z, (DI)(AX*1)
#define STAGEZ(i, z) VMOVDQU64 z, (i)*128(DI)
#define KEEP(i, z) VMOVDQU64 z, (i)*64(R12)
#define TWO(i, z) MOVQ (i)*8(DX), AX; VMOVDQU64 (i)*64(R12), Z24; VMOVDQU64 Z24, (DI)(AX*1); VMOVDQU64 z, 64(DI)(AX*1)
#define TWOPAST(i, z) MOVQ (i)*8(DX), AX; VMOVDQU64 (i)*64(R12), Z24; VMOVNTDQ Z24, (DI)(AX*1); VMOVNTDQ z, 64(DI)(AX*1)

// SPREAD makes columns of a, b, c and d, which have columns i, i+apart, i+2*apart and i+3*apart of 4
// rows (of 2, if these are twice as wide) each, and writes them.
#define SPREAD(put, i, apart, a, b, c, d) \
	QUARTERS(a, b, Z16, Z17) \
	QUARTERS(c, d, Z18, Z19) \
	QUARTERS(Z16, Z18, Z20, Z21) \
	QUARTERS(Z17, Z19, Z22, Z23) \
	put(i, Z20) \
	put(i+apart, Z22) \
	put(i+2*apart, Z21) \
	put(i+3*apart, Z23)

// QUAD interleaves 4 rows of 4-byte elements.
#define QUAD(a, b, c, d) \
	BOTHZ(VPUNPCKLDQ, VPUNPCKHDQ, a, b, Z16, Z17) \
	BOTHZ(VPUNPCKLDQ, VPUNPCKHDQ, c, d, Z18, Z19) \
	BOTHZ(VPUNPCKLQDQ, VPUNPCKHQDQ, Z16, Z18, a, b) \
	BOTHZ(VPUNPCKLQDQ, VPUNPCKHQDQ, Z17, Z19, c, d)

// COLUMNS16 transposes 16 rows of 16 elements of 4 bytes, and writes the columns from i on: 4 that
// follow one another in each quarter, and quarters that are that many apart.
#define COLUMNS16(put, i, apart) \
	QUAD(Z0, Z1, Z2, Z3) \
	QUAD(Z4, Z5, Z6, Z7) \
	QUAD(Z8, Z9, Z10, Z11) \
	QUAD(Z12, Z13, Z14, Z15) \
	SPREAD(put, i, apart, Z0, Z4, Z8, Z12) \
	SPREAD(put, i+1, apart, Z1, Z5, Z9, Z13) \
	SPREAD(put, i+2, apart, Z2, Z6, Z10, Z14) \
	SPREAD(put, i+3, apart, Z3, Z7, Z11, Z15)

#define GET16 \
	GET(0, Z0) \
	GET(1, Z1) \
	GET(2, Z2) \
	GET(3, Z3) \
	GET(4, Z4) \
	GET(5, Z5) \
	GET(6, Z6) \
	GET(7, Z7) \
	GET(8, Z8) \
	GET(9, Z9) \
	GET(10, Z10) \
	GET(11, Z11) \
	GET(12, Z12) \
	GET(13, Z13) \
	GET(14, Z14) \
	GET(15, Z15)

// SQUARE4 transposes 16 rows of 16 elements of 4 bytes, and writes the columns.
#define SQUARE4(put) \
	GET16 \
	COLUMNS16(put, 0, 4) \
	NEXTROWS(16)

// SQUARES does all blocks, and of each as many groups as there are, two at a time.
#define SQUARES(square, side, frame, two, one, block, pair, last, done) \
	LEAQ kept-frame(SP), R12 \
	ADDQ $63, R12 \
	ANDQ $~63, R12 \
block: \
	BLOCK \
	DECQ CX \
	JLE  last \
pair: \
	square(KEEP) \
	square(two) \
	ADDQ $128, DI \
	SUBQ $2, CX \
	JGT  pair \
last: \
	JNE  done \
	square(one) \
done: \
	NEXTBLOCK(side) \
	JNZ  block \
	VZEROUPPER \
	RET

// func square4(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)
TEXT ·square4(SB), 0, $1088-73
	SQUARE
	TESTQ DX, DX
	JZ    squarestage4
	CMPB  past+72(FP), $0
	JNE   past4
	SQUARES(SQUARE4, 16, 1088, TWO, NEAR, blocknear4, pairnear4, lastnear4, donenear4)

past4:
	SQUARES(SQUARE4, 16, 1088, TWOPAST, PAST, blockpast4, pairpast4, lastpast4, donepast4)

squarestage4:
	MOVQ DI, R8

blockstage4:
	STAGEBLOCK

groupstage4:
	GET16
	COLUMNS16(STAGEZ, 0, 4)
	NEXTGROUP(16)
	JNZ groupstage4
	NEXTSTAGE(16)
	JNZ blockstage4
	VZEROUPPER
	RET

// PAIR8 reads 2 rows of 8-byte elements, from row i on, and interleaves them.
#define PAIR8(i, a, b) \
	GET(i, Z16) \
	GET(i+1, Z17) \
	BOTHZ(VPUNPCKLQDQ, VPUNPCKHQDQ, Z16, Z17, a, b)

#define SQUARE8(put) \
	PAIR8(0, Z0, Z1) \
	PAIR8(2, Z2, Z3) \
	PAIR8(4, Z4, Z5) \
	PAIR8(6, Z6, Z7) \
	SPREAD(put, 0, 2, Z0, Z2, Z4, Z6) \
	SPREAD(put, 1, 2, Z1, Z3, Z5, Z7) \
	NEXTGROUP(8)

// func square8(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)
TEXT ·square8(SB), NOSPLIT, $0-73
	SQUARE
	TESTQ DX, DX
	JZ    squarestage8
	CMPB  past+72(FP), $0
	JNE   blockpast8

blocknear8:
	BLOCK

near8:
	SQUARE8(NEAR)
	JNZ near8
	NEXTBLOCK(8)
	JNZ blocknear8
	VZEROUPPER
	RET

blockpast8:
	BLOCK

past8:
	SQUARE8(PAST)
	JNZ past8
	NEXTBLOCK(8)
	JNZ blockpast8
	VZEROUPPER
	RET

squarestage8:
	MOVQ DI, R8

blockstage8:
	STAGEBLOCK

groupstage8:
	SQUARE8(STAGEZ)
	JNZ groupstage8
	NEXTSTAGE(8)
	JNZ blockstage8
	VZEROUPPER
	RET

// PAIR2 reads 2 rows of 2-byte elements, from row i on, and interleaves one half of each quarter.
// GET2 fetches ahead, AGAIN2 need not.
#define GET2(half, i, z) GET(i, Z16); GET(i+1, Z17); half Z17, Z16, z
#define AGAIN2(half, i, z) \
	MOVQ i*8(BX), AX \
	MOVQ (i+1)*8(BX), R10 \
	VMOVDQU64 (SI)(AX*1), Z16 \
	half (SI)(R10*1), Z16, z

#define ROWS32(get, half) \
	get(half, 0, Z0) \
	get(half, 2, Z1) \
	get(half, 4, Z2) \
	get(half, 6, Z3) \
	get(half, 8, Z4) \
	get(half, 10, Z5) \
	get(half, 12, Z6) \
	get(half, 14, Z7) \
	get(half, 16, Z8) \
	get(half, 18, Z9) \
	get(half, 20, Z10) \
	get(half, 22, Z11) \
	get(half, 24, Z12) \
	get(half, 26, Z13) \
	get(half, 28, Z14) \
	get(half, 30, Z15)

// SQUARE2 transposes 32 rows of 32 elements of 2 bytes, and writes the columns.
#define SQUARE2(put) \
	ROWS32(GET2, VPUNPCKLWD) \
	COLUMNS16(put, 0, 8) \
	ROWS32(AGAIN2, VPUNPCKHWD) \
	COLUMNS16(put, 4, 8) \
	NEXTROWS(32)

// func square2(dst, src *byte, rows, cols *int, groups, blocks int, coming *int, ahead, step int, past bool)
TEXT ·square2(SB), 0, $2112-73
	SQUARE
	TESTQ DX, DX
	JZ    squarestage2
	CMPB  past+72(FP), $0
	JNE   past2
	SQUARES(SQUARE2, 32, 2112, TWO, NEAR, blocknear2, pairnear2, lastnear2, donenear2)

past2:
	SQUARES(SQUARE2, 32, 2112, TWOPAST, PAST, blockpast2, pairpast2, lastpast2, donepast2)

squarestage2:
	MOVQ DI, R8

blockstage2:
	STAGEBLOCK

groupstage2:
	SQUARE2(STAGEZ)
	ADDQ $64, DI
	DECQ CX
	JNZ  groupstage2
	NEXTSTAGE(32)
	JNZ  blockstage2
	VZEROUPPER
	RET

// func splitRows(even, odd, a, b *byte, blocks int)
TEXT ·splitRows(SB), NOSPLIT, $0-40
	MOVQ   even+0(FP), DI
	MOVQ   odd+8(FP), SI
	MOVQ   a+16(FP), AX
	MOVQ   b+24(FP), BX
	MOVQ   blocks+32(FP), CX
	MOVQ   $0x0f0f0f0f0f0f0f0f, DX
	MOVQ   DX, X7
	PUNPCKLQDQ X7, X7
	XORQ   R8, R8

halves:
	MOVOU (AX)(R8*1), X0
	MOVOU (BX)(R8*1), X1
	MOVO  X0, X2
	MOVO  X1, X3
	MOVO  X7, X4
	PAND  X7, X2
	PAND  X7, X3
	PSLLW $4, X3
	POR   X3, X2
	PSRLW $4, X0
	PAND  X7, X0
	PANDN X1, X4
	POR   X4, X0
	MOVOU X2, (DI)(R8*1)
	MOVOU X0, (SI)(R8*1)
	ADDQ  $16, R8
	DECQ  CX
	JNZ   halves
	RET

// BLOCKS runs a block for every 16 of n bytes, which are at least 16, AX being where they start: the last one overlaps
// the one before it where n is not a multiple.
#define BLOCKS(loop, test, block) \
	SUBQ $16, CX \
	XORQ AX, AX  \
	JMP  test    \
loop: \
	block \
	ADDQ $16, AX \
test: \
	CMPQ AX, CX \
	JLT  loop   \
	MOVQ CX, AX \
	block

#define UNPACK \
	MOVOU     (SI)(AX*1), X0   \
	MOVO      X0, X1           \
	PSRLW     $4, X1           \
	PAND      X7, X0           \
	PAND      X7, X1           \
	MOVO      X0, X2           \
	PUNPCKLBW X1, X0           \
	PUNPCKHBW X1, X2           \
	MOVOU     X0, (DI)(AX*2)   \
	MOVOU     X2, 16(DI)(AX*2)

// func unpack16(dst, src *byte, n int)
TEXT ·unpack16(SB), NOSPLIT, $0-24
	BYTES
	MOVQ $0x0f0f0f0f0f0f0f0f, DX
	MOVQ DX, X7
	PUNPCKLQDQ X7, X7
	BLOCKS(unpacking, unpacked, UNPACK)
	RET

#define UNPACKWIDE \
	VPMOVZXBW (SI)(AX*1), Y0 \
	VPSLLW    $4, Y0, Y1     \
	VPOR      Y1, Y0, Y0     \
	VPAND     Y7, Y0, Y0     \
	VMOVDQU   Y0, (DI)(AX*2)

// func unpack16wide(dst, src *byte, n int)
TEXT ·unpack16wide(SB), NOSPLIT, $0-24
	BYTES
	MOVQ $0x0f0f0f0f0f0f0f0f, DX
	MOVQ DX, X7
	VPBROADCASTQ X7, Y7
	BLOCKS(unpackingwide, unpackedwide, UNPACKWIDE)
	VZEROUPPER
	RET

#define PACK \
	MOVOU    (SI)(AX*2), X0   \
	MOVOU    16(SI)(AX*2), X1 \
	MOVO     X0, X2           \
	MOVO     X1, X3           \
	PSRLW    $4, X2           \
	PSRLW    $4, X3           \
	POR      X2, X0           \
	POR      X3, X1           \
	PAND     X7, X0           \
	PAND     X7, X1           \
	PACKUSWB X1, X0           \
	MOVOU    X0, (DI)(AX*1)

// func pack16(dst, src *byte, n int)
TEXT ·pack16(SB), NOSPLIT, $0-24
	BYTES
	MOVQ $0x00ff00ff00ff00ff, DX
	MOVQ DX, X7
	PUNPCKLQDQ X7, X7
	BLOCKS(packing, packed, PACK)
	RET

#define PACKWIDE \
	VMOVDQU      (SI)(AX*2), Y0 \
	VPSRLW       $4, Y0, Y1     \
	VPOR         Y1, Y0, Y0     \
	VPAND        Y7, Y0, Y0     \
	VEXTRACTI128 $1, Y0, X1     \
	VPACKUSWB    X1, X0, X0     \
	VMOVDQU      X0, (DI)(AX*1)

// func pack16wide(dst, src *byte, n int)
TEXT ·pack16wide(SB), NOSPLIT, $0-24
	BYTES
	MOVQ $0x00ff00ff00ff00ff, DX
	MOVQ DX, X7
	VPBROADCASTQ X7, Y7
	BLOCKS(packingwide, packedwide, PACKWIDE)
	VZEROUPPER
	RET

#define HALVES \
	MOVOU (SI)(AX*1), X0 \
	PSRLW X6, X0         \
	PAND  X7, X0         \
	MOVOU X0, (DI)(AX*1)

// func halves16(dst, src *byte, n, shift int)
TEXT ·halves16(SB), NOSPLIT, $0-32
	BYTES
	MOVQ shift+24(FP), X6
	MOVQ $0x0f0f0f0f0f0f0f0f, DX
	MOVQ DX, X7
	PUNPCKLQDQ X7, X7
	BLOCKS(halving, halved, HALVES)
	RET

#define BLEND \
	MOVOU (DI)(AX*1), X0 \
	MOVOU (SI)(AX*1), X1 \
	MOVOU (BX)(AX*1), X2 \
	PSLLW X6, X1         \
	PSLLW X6, X2         \
	PXOR  X0, X1         \
	PAND  X2, X1         \
	PXOR  X1, X0         \
	MOVOU X0, (DI)(AX*1)

// func blend16(dst, src *byte, n int, mask *byte, shift int)
TEXT ·blend16(SB), NOSPLIT, $0-40
	BYTES
	MOVQ mask+24(FP), BX
	MOVQ shift+32(FP), X6
	BLOCKS(blending, blended, BLEND)
	RET

// func cpuid(leaf uint32) (eax, ebx, ecx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-20
	MOVL leaf+0(FP), AX
	XORL CX, CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	RET

// func xgetbv() (eax uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, eax+0(FP)
	RET
