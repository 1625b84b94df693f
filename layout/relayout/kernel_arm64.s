//go:build !purego

#include "textflag.h"

// Every fill kernel reads some rows of the source, 16 bytes or more of each at a time, and writes the
// elements of one column side by side. R0 is the target, which advances by the pitch in R9, R4 to R7 and
// R12 to R15 are the rows, R3 counts blocks of 16 bytes, and R10 is how far from what is read the bytes
// are that are fetched ahead. R2 advances through the rows, and R19 is where their strip starts in the
// target. R20 has all blocks, and R21 counts strips.

#define FILL \
	MOVD dst+0(FP), R19     \
	MOVD src+8(FP), R1      \
	MOVD s+16(FP), R2       \
	ADD  R2, R1, R1         \
	MOVD rows+24(FP), R2    \
	MOVD strips+32(FP), R21 \
	MOVD blocks+40(FP), R20 \
	MOVD pitch+48(FP), R9   \
	MOVD ahead+56(FP), R10

// ROWS2, ROWS4 and ROWS8 begin a strip.
#define ROW(r) MOVD.P 8(R2), r; ADD R1, r, r
#define ROWS2 MOVD R19, R0; MOVD R20, R3; ROW(R4); ROW(R5)
#define ROWS4 ROWS2; ROW(R6); ROW(R7)
#define ROWS8 ROWS4; ROW(R12); ROW(R13); ROW(R14); ROW(R15)

// AHEAD fetches what will be needed of a row, and READ reads 16 bytes too.
#define AHEAD(r) ADD R10, r, R11; PRFM (R11), PLDL1KEEP
#define READ(r, v, t) AHEAD(r); VLD1.P 16(r), [v.t]

// READ64 reads 64 bytes of a row.
#define READ64(r, v0, v1, v2, v3, t) AHEAD(r); VLD1.P 64(r), [v0.t, v1.t, v2.t, v3.t]

// ZIP interleaves a and b: the lower halves into low, the higher ones into high.
#define ZIP(a, b, low, high, t) VZIP1 b.t, a.t, low.t; VZIP2 b.t, a.t, high.t

// EIGHT interleaves 8 rows in three steps: rows 0 and 4, then 0, 2, 4 and 6, then all. What comes out, in
// order, is in V24 to V31.
#define EIGHT(t) \
	READ(R4, V0, t)   \
	READ(R5, V1, t)   \
	READ(R6, V2, t)   \
	READ(R7, V3, t)   \
	READ(R12, V4, t)  \
	READ(R13, V5, t)  \
	READ(R14, V6, t)  \
	READ(R15, V7, t)  \
	ZIP(V0, V4, V8, V9, t)     \
	ZIP(V2, V6, V10, V11, t)   \
	ZIP(V1, V5, V12, V13, t)   \
	ZIP(V3, V7, V14, V15, t)   \
	ZIP(V8, V10, V16, V17, t)  \
	ZIP(V9, V11, V18, V19, t)  \
	ZIP(V12, V14, V20, V21, t) \
	ZIP(V13, V15, V22, V23, t) \
	ZIP(V16, V20, V24, V25, t) \
	ZIP(V17, V21, V26, V27, t) \
	ZIP(V18, V22, V28, V29, t) \
	ZIP(V19, V23, V30, V31, t)

// PUT writes a column; PUT2 writes two, which share a register.
#define PUT(v) VST1.P [v.B16], (R0)(R9)
#define PUT2(v) VST1.P v.D[0], (R0)(R9); VST1.P v.D[1], (R0)(R9)

// FOUR interleaves a block of 4 rows of elements of 4 bytes, and writes the columns.
#define FOUR(a, b, c, d) \
	ZIP(a, c, V16, V17, S4)   \
	ZIP(b, d, V18, V19, S4)   \
	ZIP(V16, V18, V20, V21, S4) \
	ZIP(V17, V19, V22, V23, S4) \
	PUT(V20) \
	PUT(V21) \
	PUT(V22) \
	PUT(V23)

// TWO does so for a block of 2 rows of elements of 8 bytes.
#define TWO(a, b) \
	ZIP(a, b, V16, V17, D2) \
	PUT(V16) \
	PUT(V17)

// AGAIN goes on with the next block, and NEXTSTRIP with the next strip, whose elements follow.
#define AGAIN(loop) SUBS $1, R3; BNE loop
#define NEXTSTRIP(bytes, strip) ADD $bytes, R19; SUBS $1, R21; BNE strip; RET

// INTERLEAVE takes the arguments of the kernels for 2 to 4 planes, of which R2 is the distance, and goes to
// the loop for the width.
#define INTERLEAVE \
	MOVD dst+0(FP), R0     \
	MOVD src+8(FP), R1     \
	MOVD plane+16(FP), R2  \
	MOVD blocks+24(FP), R3 \
	MOVD width+32(FP), R4

#define CHOOSE(w1, w2, w4) \
	TBNZ $0, R4, w1 \
	TBNZ $1, R4, w2 \
	TBNZ $2, R4, w4

// The planes start at R1 and R5 to R7, and the pixels at R0.
#define INTERLEAVE2(t) \
	VLD1.P 16(R1), [V0.t] \
	VLD1.P 16(R5), [V1.t] \
	VST2.P [V0.t, V1.t], 32(R0)

#define INTERLEAVE3(t) \
	VLD1.P 16(R1), [V0.t] \
	VLD1.P 16(R5), [V1.t] \
	VLD1.P 16(R6), [V2.t] \
	VST3.P [V0.t, V1.t, V2.t], 48(R0)

#define INTERLEAVE4(t) \
	VLD1.P 16(R1), [V0.t] \
	VLD1.P 16(R5), [V1.t] \
	VLD1.P 16(R6), [V2.t] \
	VLD1.P 16(R7), [V3.t] \
	VST4.P [V0.t, V1.t, V2.t, V3.t], 64(R0)

// The planes start at R0 and R5 to R7, and the pixels at R1.
#define APART2(t) \
	VLD2.P 32(R1), [V0.t, V1.t] \
	VST1.P [V0.t], 16(R0) \
	VST1.P [V1.t], 16(R5)

#define APART3(t) \
	VLD3.P 48(R1), [V0.t, V1.t, V2.t] \
	VST1.P [V0.t], 16(R0) \
	VST1.P [V1.t], 16(R5) \
	VST1.P [V2.t], 16(R6)

#define APART4(t) \
	VLD4.P 64(R1), [V0.t, V1.t, V2.t, V3.t] \
	VST1.P [V0.t], 16(R0) \
	VST1.P [V1.t], 16(R5) \
	VST1.P [V2.t], 16(R6) \
	VST1.P [V3.t], 16(R7)

// func fill1(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)
TEXT ·fill1(SB), NOSPLIT, $0-64
	FILL

strip1:
	ROWS8

block1:
	EIGHT(B16)
	PUT2(V24)
	PUT2(V25)
	PUT2(V26)
	PUT2(V27)
	PUT2(V28)
	PUT2(V29)
	PUT2(V30)
	PUT2(V31)
	AGAIN(block1)
	NEXTSTRIP(8, strip1)

// func fill2(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)
TEXT ·fill2(SB), NOSPLIT, $0-64
	FILL

strip2:
	ROWS8

block2:
	EIGHT(H8)
	PUT(V24)
	PUT(V25)
	PUT(V26)
	PUT(V27)
	PUT(V28)
	PUT(V29)
	PUT(V30)
	PUT(V31)
	AGAIN(block2)
	NEXTSTRIP(16, strip2)

// func fill4(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)
TEXT ·fill4(SB), NOSPLIT, $0-64
	FILL

strip4:
	ROWS4
	SUBS $4, R3
	BLT  few4

blocks4:
	READ64(R4, V0, V1, V2, V3, S4)
	READ64(R5, V4, V5, V6, V7, S4)
	READ64(R6, V8, V9, V10, V11, S4)
	READ64(R7, V12, V13, V14, V15, S4)
	FOUR(V0, V4, V8, V12)
	FOUR(V1, V5, V9, V13)
	FOUR(V2, V6, V10, V14)
	FOUR(V3, V7, V11, V15)
	SUBS $4, R3
	BGE  blocks4

few4:
	ADDS $4, R3
	BEQ  end4

block4:
	READ(R4, V0, S4)
	READ(R5, V1, S4)
	READ(R6, V2, S4)
	READ(R7, V3, S4)
	FOUR(V0, V1, V2, V3)
	AGAIN(block4)

end4:
	NEXTSTRIP(16, strip4)

// func fill8(dst, src *byte, s int, rows *int, strips, blocks, pitch, ahead int)
TEXT ·fill8(SB), NOSPLIT, $0-64
	FILL

strip8:
	ROWS2
	SUBS $4, R3
	BLT  few8

blocks8:
	READ64(R4, V0, V1, V2, V3, D2)
	READ64(R5, V4, V5, V6, V7, D2)
	TWO(V0, V4)
	TWO(V1, V5)
	TWO(V2, V6)
	TWO(V3, V7)
	SUBS $4, R3
	BGE  blocks8

few8:
	ADDS $4, R3
	BEQ  end8

block8:
	READ(R4, V0, D2)
	READ(R5, V1, D2)
	TWO(V0, V1)
	AGAIN(block8)

end8:
	NEXTSTRIP(16, strip8)

// func linesOf(dst, buf *byte, cols *int, n, bytes int)
TEXT ·linesOf(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD buf+8(FP), R1
	MOVD cols+16(FP), R2
	MOVD n+24(FP), R3
	MOVD bytes+32(FP), R4
	TBZ  $7, R4, line

pair:
	MOVD.P 8(R2), R5
	ADD    R0, R5, R5
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R5)
	VST1   [V4.B16, V5.B16, V6.B16, V7.B16], (R5)
	AGAIN(pair)
	RET

line:
	MOVD.P 8(R2), R5
	ADD    R0, R5, R5
	VLD1   (R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADD    $128, R1
	VST1   [V0.B16, V1.B16, V2.B16, V3.B16], (R5)
	AGAIN(line)
	RET

// func interleave2(dst, src *byte, plane, blocks, width int)
TEXT ·interleave2(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R1, R5
	CHOOSE(w2x1, w2x2, w2x4)

w2x8:
	INTERLEAVE2(D2)
	AGAIN(w2x8)
	RET

w2x4:
	INTERLEAVE2(S4)
	AGAIN(w2x4)
	RET

w2x2:
	INTERLEAVE2(H8)
	AGAIN(w2x2)
	RET

w2x1:
	INTERLEAVE2(B16)
	AGAIN(w2x1)
	RET

// func interleave3(dst, src *byte, plane, blocks, width int)
TEXT ·interleave3(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R1, R5
	ADD R2, R5, R6
	CHOOSE(w3x1, w3x2, w3x4)

w3x8:
	INTERLEAVE3(D2)
	AGAIN(w3x8)
	RET

w3x4:
	SUBS $2, R3
	BLT  w3x4last

w3x4pair:
	INTERLEAVE3(S4)
	INTERLEAVE3(S4)
	SUBS $2, R3
	BGE  w3x4pair

w3x4last:
	TBZ $0, R3, w3x4end
	INTERLEAVE3(S4)

w3x4end:
	RET

w3x2:
	INTERLEAVE3(H8)
	AGAIN(w3x2)
	RET

w3x1:
	INTERLEAVE3(B16)
	AGAIN(w3x1)
	RET

// func interleave4(dst, src *byte, plane, blocks, width int)
TEXT ·interleave4(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R1, R5
	ADD R2, R5, R6
	ADD R2, R6, R7
	CHOOSE(w4x1, w4x2, w4x4)

w4x8:
	INTERLEAVE4(D2)
	AGAIN(w4x8)
	RET

w4x4:
	INTERLEAVE4(S4)
	AGAIN(w4x4)
	RET

w4x2:
	INTERLEAVE4(H8)
	AGAIN(w4x2)
	RET

w4x1:
	INTERLEAVE4(B16)
	AGAIN(w4x1)
	RET

// func deinterleave2(dst, src *byte, plane, blocks, width int)
TEXT ·deinterleave2(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R0, R5
	CHOOSE(a2x1, a2x2, a2x4)

a2x8:
	APART2(D2)
	AGAIN(a2x8)
	RET

a2x4:
	APART2(S4)
	AGAIN(a2x4)
	RET

a2x2:
	APART2(H8)
	AGAIN(a2x2)
	RET

a2x1:
	APART2(B16)
	AGAIN(a2x1)
	RET

// func deinterleave3(dst, src *byte, plane, blocks, width int)
TEXT ·deinterleave3(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R0, R5
	ADD R2, R5, R6
	CHOOSE(a3x1, a3x2, a3x4)

a3x8:
	APART3(D2)
	AGAIN(a3x8)
	RET

a3x4:
	SUBS $2, R3
	BLT  a3x4last

a3x4pair:
	APART3(S4)
	APART3(S4)
	SUBS $2, R3
	BGE  a3x4pair

a3x4last:
	TBZ $0, R3, a3x4end
	APART3(S4)

a3x4end:
	RET

a3x2:
	APART3(H8)
	AGAIN(a3x2)
	RET

a3x1:
	APART3(B16)
	AGAIN(a3x1)
	RET

// func deinterleave4(dst, src *byte, plane, blocks, width int)
TEXT ·deinterleave4(SB), NOSPLIT, $0-40
	INTERLEAVE
	ADD R2, R0, R5
	ADD R2, R5, R6
	ADD R2, R6, R7
	CHOOSE(a4x1, a4x2, a4x4)

a4x8:
	APART4(D2)
	AGAIN(a4x8)
	RET

a4x4:
	APART4(S4)
	AGAIN(a4x4)
	RET

a4x2:
	APART4(H8)
	AGAIN(a4x2)
	RET

a4x1:
	APART4(B16)
	AGAIN(a4x1)
	RET

// func shuffleAny(dst, src *byte, outputs *output, n int, inputs *int, masks *byte, blocks, dstStep, srcStep int)
TEXT ·shuffleAny(SB), NOSPLIT, $0-72
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD blocks+48(FP), R6
	MOVD dstStep+56(FP), R7
	MOVD srcStep+64(FP), R8

block:
	MOVD outputs+16(FP), R2
	MOVD n+24(FP), R9
	MOVD inputs+32(FP), R3
	MOVD masks+40(FP), R4

output:
	MOVD.P 8(R2), R12
	MOVD.P 8(R2), R10
	VEOR   V0.B16, V0.B16, V0.B16

input:
	MOVD.P 8(R3), R11
	ADD    R1, R11, R11
	VLD1   (R11), [V1.B16]
	VLD1.P 16(R4), [V2.B16]
	VTBX   V2.B16, [V1.B16], V0.B16 // a mask of 128 leaves the byte
	SUBS   $1, R10
	BNE    input

	ADD  R0, R12, R12
	VST1 [V0.B16], (R12)
	SUBS $1, R9
	BNE  output

	ADD  R7, R0, R0
	ADD  R8, R1, R1
	SUBS $1, R6
	BNE  block
	RET

// UNPACK makes two bytes of each of 16, and PACK is the inverse. Both take what the addresses say.
#define UNPACK(from, to) \
	VLD1  from, [V0.B16]          \
	VUSHR $4, V0.B16, V1.B16      \
	VAND  V7.B16, V0.B16, V0.B16  \
	ZIP(V0, V1, V2, V3, B16)      \
	VST1  [V2.B16, V3.B16], to

#define PACK(from, to) \
	VLD1  from, [V0.B16, V1.B16]   \
	VUZP1 V1.B16, V0.B16, V2.B16   \
	VUZP2 V1.B16, V0.B16, V3.B16   \
	VSLI  $4, V3.B16, V2.B16       \
	VST1  [V2.B16], to

// func unpack16(dst, src *byte, n int)
TEXT ·unpack16(SB), NOSPLIT, $0-24
	MOVD  dst+0(FP), R0
	MOVD  src+8(FP), R1
	MOVD  n+16(FP), R2
	VMOVI $15, V7.B16
	B     unpacked

unpacking:
	UNPACK((R1), (R0))
	ADD $16, R1
	ADD $32, R0

unpacked:
	SUBS $16, R2
	BGT  unpacking
	ADD  R2, R1 // 16 bytes from the end
	ADD  R2<<1, R0
	UNPACK((R1), (R0))
	RET

// func pack16(dst, src *byte, n int)
TEXT ·pack16(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	B    packed

packing:
	PACK((R1), (R0))
	ADD $32, R1
	ADD $16, R0

packed:
	SUBS $16, R2
	BGT  packing
	ADD  R2, R0 // 16 bytes from the end
	ADD  R2<<1, R1
	PACK((R1), (R0))
	RET
