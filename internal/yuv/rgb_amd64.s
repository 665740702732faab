//go:build !purego

#include "textflag.h"

// func rowSSE2(out, luma, cb, cr *byte, n int, v *vectors)
//
// Eight pixels a round. Values are widened to 16 bits; PMADDWL multiplies neighbours by
// a pair of factors and adds the two products in 32 bits.
TEXT ·rowSSE2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ luma+8(FP), SI
	MOVQ cb+16(FP), R8
	MOVQ cr+24(FP), R9
	MOVQ n+32(FP), CX
	MOVQ v+40(FP), DX
	MOVOU 0(DX), X8    // offset
	MOVOU 16(DX), X9   // middle
	MOVOU 32(DX), X10  // red
	MOVOU 48(DX), X11  // blue
	MOVOU 64(DX), X12  // green
	MOVOU 80(DX), X13  // greenToo
	MOVOU 96(DX), X14  // half
	PXOR  X15, X15

loop:
	// X0: Y, X1: Cb, X2: Cr, each eight words; a chroma sample is there twice.
	MOVQ      (SI), X0
	PUNPCKLBW X15, X0
	PSUBW     X8, X0
	MOVL      (R8), AX
	MOVQ      AX, X1
	PUNPCKLBW X15, X1
	PSUBW     X9, X1
	PUNPCKLWL X1, X1
	MOVL      (R9), AX
	MOVQ      AX, X2
	PUNPCKLBW X15, X2
	PSUBW     X9, X2
	PUNPCKLWL X2, X2

	// X3, X4: Y and Cr side by side.
	MOVO      X0, X3
	PUNPCKLWL X2, X3
	MOVO      X0, X4
	PUNPCKHWL X2, X4

	// X5: red.
	MOVO    X3, X5
	PMADDWL X10, X5
	PADDL   X14, X5
	PSRAL   $13, X5
	MOVO    X4, X6
	PMADDWL X10, X6
	PADDL   X14, X6
	PSRAL   $13, X6
	PACKSSLW X6, X5

	// X3: green.
	PMADDWL   X12, X3
	PADDL     X14, X3
	PMADDWL   X12, X4
	PADDL     X14, X4
	MOVO      X1, X6
	PUNPCKLWL X15, X6
	PMADDWL   X13, X6
	PADDL     X6, X3
	PSRAL     $13, X3
	MOVO      X1, X6
	PUNPCKHWL X15, X6
	PMADDWL   X13, X6
	PADDL     X6, X4
	PSRAL     $13, X4
	PACKSSLW  X4, X3

	// X0: blue.
	MOVO      X0, X4
	PUNPCKLWL X1, X0
	PUNPCKHWL X1, X4
	PMADDWL   X11, X0
	PADDL     X14, X0
	PSRAL     $13, X0
	PMADDWL   X11, X4
	PADDL     X14, X4
	PSRAL     $13, X4
	PACKSSLW  X4, X0

	// To bytes of 0 to 255, and side by side.
	PACKUSWB  X5, X5
	PACKUSWB  X3, X3
	PACKUSWB  X0, X0
	PUNPCKLBW X3, X5     // red and green
	MOVOU     112(DX), X6 // opaque
	PUNPCKLBW X6, X0     // blue and 255
	MOVO      X5, X4
	PUNPCKLWL X0, X5
	PUNPCKHWL X0, X4
	MOVOU     X5, (DI)
	MOVOU     X4, 16(DI)

	ADDQ $8, SI
	ADDQ $4, R8
	ADDQ $4, R9
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  loop
	RET
