//go:build !purego

#include "textflag.h"

// func sumsAVX2(a, b *pose, out *float32, n int, ones *[8]float32)
//
// out[k] = Σ min(1, √((a.x − b[k].x)² + (a.y − b[k].y)²)) over the parts that both poses
// have. A pose is x[24], y[24], mask[24] and two more 32-bit words, 296 bytes.
TEXT ·sumsAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ out+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ ones+32(FP), AX
	VMOVUPS (AX), Y15
	VMOVUPS 0(SI), Y6
	VMOVUPS 32(SI), Y7
	VMOVUPS 64(SI), Y8
	VMOVUPS 96(SI), Y9
	VMOVUPS 128(SI), Y10
	VMOVUPS 160(SI), Y11
	VMOVUPS 192(SI), Y12
	VMOVUPS 224(SI), Y13
	VMOVUPS 256(SI), Y14

loop:
	TESTQ CX, CX
	JZ    done

	// differences
	VSUBPS 0(DI), Y6, Y0
	VSUBPS 32(DI), Y7, Y1
	VSUBPS 64(DI), Y8, Y2
	VSUBPS 96(DI), Y9, Y3
	VSUBPS 128(DI), Y10, Y4
	VSUBPS 160(DI), Y11, Y5

	// lengths
	VMULPS  Y0, Y0, Y0
	VMULPS  Y1, Y1, Y1
	VMULPS  Y2, Y2, Y2
	VMULPS  Y3, Y3, Y3
	VMULPS  Y4, Y4, Y4
	VMULPS  Y5, Y5, Y5
	VADDPS  Y3, Y0, Y0
	VADDPS  Y4, Y1, Y1
	VADDPS  Y5, Y2, Y2
	VSQRTPS Y0, Y0
	VSQRTPS Y1, Y1
	VSQRTPS Y2, Y2

	// 1 where they are longer, or no number
	VMINPS Y15, Y0, Y0
	VMINPS Y15, Y1, Y1
	VMINPS Y15, Y2, Y2

	// of the parts that both have
	VANDPS 192(DI), Y12, Y3
	VANDPS 224(DI), Y13, Y4
	VANDPS 256(DI), Y14, Y5
	VANDPS Y3, Y0, Y0
	VANDPS Y4, Y1, Y1
	VANDPS Y5, Y2, Y2

	// their sum
	VADDPS       Y1, Y0, Y0
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, (DX)

	ADDQ $296, DI
	ADDQ $4, DX
	DECQ CX
	JMP  loop

done:
	VZEROUPPER
	RET
