//go:build !purego

#include "textflag.h"

// func atan2Fours(dst, y, x *float64, fours int, arc *[128]float64, c *[14][4]float64) int
//
// The steps of Atan2, in its order, so that both give the same bits.
TEXT ·atan2Fours(SB), NOSPLIT, $0-56
	MOVQ    dst+0(FP), DI
	MOVQ    y+8(FP), SI
	MOVQ    x+16(FP), DX
	MOVQ    fours+24(FP), CX
	MOVQ    arc+32(FP), R8
	MOVQ    c+40(FP), R9
	XORQ    AX, AX
	VMOVUPD 0(R9), Y15   // the sign bit
	VMOVUPD 96(R9), Y14  // 64
	VMOVUPD 128(R9), Y13 // 0.5
	VMOVUPD 160(R9), Y12 // 1/64
	VMOVUPD 288(R9), Y11 // 1

loop:
	CMPQ AX, CX
	JGE  done

	// m, n: the smaller and the larger of |x| and |y|
	VMOVUPD   (SI), Y0
	VMOVUPD   (DX), Y1
	VANDNPD   Y0, Y15, Y2     // |y|
	VANDNPD   Y1, Y15, Y3     // |x|
	VPCMPGTQ  Y3, Y2, Y4      // |y| > |x|
	VBLENDVPD Y4, Y2, Y3, Y5  // n
	VBLENDVPD Y4, Y3, Y2, Y6  // m

	// all four within the range?
	VCMPPD    $0x1E, 32(R9), Y5, Y7 // n > 1e-280
	VCMPPD    $0x11, 64(R9), Y5, Y8 // n < 1e300
	VANDPD    Y8, Y7, Y7
	VMOVMSKPD Y7, BX
	CMPL      BX, $15
	JNE       done

	// k, c
	VDIVPD      Y5, Y6, Y7
	VMULPD      Y14, Y7, Y7
	VADDPD      Y13, Y7, Y7
	VCVTTPD2DQY Y7, X7
	VCVTDQ2PD   X7, Y8
	VMULPD      Y12, Y8, Y8
	VMOVUPD     416(R9), Y10
	VGATHERDPD  Y10, (R8)(X7*8), Y9 // arc[k]

	// t, z
	VMULPD Y5, Y8, Y2  // c·n
	VSUBPD Y2, Y6, Y2  // m − c·n
	VMULPD Y6, Y8, Y3  // c·m
	VADDPD Y3, Y5, Y3  // n + c·m
	VDIVPD Y3, Y2, Y2  // t
	VMULPD Y2, Y2, Y3  // z

	// 1 − z(1/3 − z(1/5 − z/7))
	VMULPD  192(R9), Y3, Y5
	VMOVUPD 224(R9), Y6
	VSUBPD  Y5, Y6, Y5
	VMULPD  Y3, Y5, Y5
	VMOVUPD 256(R9), Y6
	VSUBPD  Y5, Y6, Y5
	VMULPD  Y3, Y5, Y5
	VSUBPD  Y5, Y11, Y5

	// the angle of m/n
	VMULPD 320(R9), Y2, Y2
	VMULPD Y5, Y2, Y2
	VADDPD Y2, Y9, Y2

	// into its octant
	VXORPD    Y4, Y1, Y5
	VANDPD    Y15, Y5, Y5
	VXORPD    Y5, Y2, Y2 // turned round where one of the two holds
	VXORPD    Y6, Y6, Y6
	VMOVUPD   352(R9), Y7
	VBLENDVPD Y1, Y7, Y6, Y6 // 180 where x is negative
	VMOVUPD   384(R9), Y7
	VBLENDVPD Y4, Y7, Y6, Y6 // 90 where y is the larger one
	VADDPD    Y2, Y6, Y2
	VANDPD    Y15, Y0, Y0
	VORPD     Y0, Y2, Y2
	VMOVUPD   Y2, (DI)

	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	INCQ AX
	JMP  loop

done:
	MOVQ AX, ret+48(FP)
	VZEROUPPER
	RET
