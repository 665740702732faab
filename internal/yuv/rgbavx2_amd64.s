//go:build !purego

#include "textflag.h"

// func rowAVX2(out, luma, cb, cr *byte, n int, v *vectors)
//
// The same as rowSSE2 with sixteen pixels a round: the first eight in the lower half of
// each register, the others in the upper half.
TEXT ·rowAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ luma+8(FP), SI
	MOVQ cb+16(FP), R8
	MOVQ cr+24(FP), R9
	MOVQ n+32(FP), CX
	MOVQ v+40(FP), DX
	VBROADCASTI128 0(DX), Y8    // offset
	VBROADCASTI128 16(DX), Y9   // middle
	VBROADCASTI128 32(DX), Y10  // red
	VBROADCASTI128 48(DX), Y11  // blue
	VBROADCASTI128 64(DX), Y12  // green
	VBROADCASTI128 80(DX), Y13  // greenToo
	VBROADCASTI128 96(DX), Y14  // half
	VPXOR Y15, Y15, Y15

loop:
	// Y0: Y, Y1: Cb, Y2: Cr, each sixteen words; a chroma sample is there twice.
	VPMOVZXBW  (SI), Y0
	VPSUBW     Y8, Y0, Y0
	VPMOVZXBW  (R8), X1
	VPSUBW     X9, X1, X1
	VPERMQ     $0x10, Y1, Y1
	VPUNPCKLWD Y1, Y1, Y1
	VPMOVZXBW  (R9), X2
	VPSUBW     X9, X2, X2
	VPERMQ     $0x10, Y2, Y2
	VPUNPCKLWD Y2, Y2, Y2

	// Y3, Y4: Y and Cr side by side.
	VPUNPCKLWD Y2, Y0, Y3
	VPUNPCKHWD Y2, Y0, Y4

	// Y5: red.
	VPMADDWD  Y10, Y3, Y5
	VPADDD    Y14, Y5, Y5
	VPSRAD    $13, Y5, Y5
	VPMADDWD  Y10, Y4, Y6
	VPADDD    Y14, Y6, Y6
	VPSRAD    $13, Y6, Y6
	VPACKSSDW Y6, Y5, Y5

	// Y3: green.
	VPMADDWD   Y12, Y3, Y3
	VPADDD     Y14, Y3, Y3
	VPMADDWD   Y12, Y4, Y4
	VPADDD     Y14, Y4, Y4
	VPUNPCKLWD Y15, Y1, Y6
	VPMADDWD   Y13, Y6, Y6
	VPADDD     Y6, Y3, Y3
	VPSRAD     $13, Y3, Y3
	VPUNPCKHWD Y15, Y1, Y6
	VPMADDWD   Y13, Y6, Y6
	VPADDD     Y6, Y4, Y4
	VPSRAD     $13, Y4, Y4
	VPACKSSDW  Y4, Y3, Y3

	// Y4: blue.
	VPUNPCKLWD Y1, Y0, Y4
	VPMADDWD   Y11, Y4, Y4
	VPADDD     Y14, Y4, Y4
	VPSRAD     $13, Y4, Y4
	VPUNPCKHWD Y1, Y0, Y6
	VPMADDWD   Y11, Y6, Y6
	VPADDD     Y14, Y6, Y6
	VPSRAD     $13, Y6, Y6
	VPACKSSDW  Y6, Y4, Y4

	// To bytes of 0 to 255, and side by side.
	VPACKUSWB  Y5, Y5, Y5
	VPACKUSWB  Y3, Y3, Y3
	VPACKUSWB  Y4, Y4, Y4
	VPUNPCKLBW Y3, Y5, Y5 // red and green
	VPCMPEQB   Y6, Y6, Y6
	VPUNPCKLBW Y6, Y4, Y4 // blue and 255
	VPUNPCKLWD Y4, Y5, Y0
	VPUNPCKHWD Y4, Y5, Y1
	VPERM2I128 $0x20, Y1, Y0, Y2
	VPERM2I128 $0x31, Y1, Y0, Y3
	VMOVDQU    Y2, (DI)
	VMOVDQU    Y3, 32(DI)

	ADDQ $16, SI
	ADDQ $8, R8
	ADDQ $8, R9
	ADDQ $64, DI
	SUBQ $16, CX
	JNZ  loop
	VZEROUPPER
	RET
