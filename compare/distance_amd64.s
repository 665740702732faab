//go:build !purego

#include "textflag.h"

// The layout of a pose, in bytes.
#define X_AT    0
#define Y_AT    80
#define MASK_AT 160
#define SIZE    244

// Adds the distances of the four parts from byte "at" of each array to X14.
#define FOUR(at) \
	MOVUPS X_AT+at(SI), X0; \
	MOVUPS X_AT+at(DI), X1; \
	MOVUPS Y_AT+at(SI), X2; \
	MOVUPS Y_AT+at(DI), X3; \
	SUBPS  X1, X0; \
	SUBPS  X3, X2; \
	MULPS  X0, X0; \
	MULPS  X2, X2; \
	ADDPS  X2, X0; \
	SQRTPS X0, X0; \
	MINPS  X15, X0; \
	MOVUPS MASK_AT+at(SI), X4; \
	MOVUPS MASK_AT+at(DI), X5; \
	ANDPS  X5, X4; \
	ANDPS  X4, X0; \
	ADDPS  X0, X14

// func sums(a *pose, b []pose, out []float32)
TEXT ·sums(SB), NOSPLIT, $0-56
	MOVQ   a+0(FP), SI
	MOVQ   b_base+8(FP), DI
	MOVQ   b_len+16(FP), CX
	MOVQ   out_base+32(FP), DX
	MOVL   $0x3f800000, AX // 1
	MOVL   AX, X15
	SHUFPS $0, X15, X15

loop:
	SUBQ  $1, CX
	JLT   done
	XORPS X14, X14
	FOUR(0)
	FOUR(16)
	FOUR(32)
	FOUR(48)
	FOUR(64)

	// the sum of the four sums
	MOVAPS X14, X0
	SHUFPS $0x4e, X0, X0
	ADDPS  X14, X0
	MOVAPS X0, X1
	SHUFPS $0xb1, X1, X1
	ADDSS  X1, X0
	MOVSS  X0, (DX)
	ADDQ   $SIZE, DI
	ADDQ   $4, DX
	JMP    loop

done:
	RET
