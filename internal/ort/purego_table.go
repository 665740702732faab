//go:build !cgo && !android && !ios && (linux || darwin || windows) && (amd64 || arm64)

package ort

import "unsafe"

// address is where an object of ONNX Runtime lies, 0: none.
type address uintptr

type (
	createFunc func(made *address) address
	setFunc    func(object address) address
	freeFunc   func(object address)
	countFunc  func(session address, n *uintptr) address
	nameFunc   func(session address, i uintptr, allocator address, name **byte) address
	infoFunc   func(session address, i uintptr, info *address) address
)

// functions are those of the table OrtApi in onnxruntime_c_api.h that are used, by their index in it: newer versions only add to
// the table. All but the freeFuncs and GetErrorMessage return the address of a status, 0 if all is well.
type functions struct {
	CreateSessionOptions           createFunc `index:"10"`
	SessionGetInputCount           countFunc  `index:"30"`
	SessionGetOutputCount          countFunc  `index:"31"`
	SessionGetInputTypeInfo        infoFunc   `index:"33"`
	SessionGetOutputTypeInfo       infoFunc   `index:"34"`
	SessionGetInputName            nameFunc   `index:"36"`
	SessionGetOutputName           nameFunc   `index:"37"`
	CreateRunOptions               createFunc `index:"39"`
	RunOptionsSetTerminate         setFunc    `index:"46"`
	RunOptionsUnsetTerminate       setFunc    `index:"47"`
	GetAllocatorWithDefaultOptions createFunc `index:"78"`
	ReleaseEnv                     freeFunc   `index:"92"`
	ReleaseStatus                  freeFunc   `index:"93"`
	ReleaseSession                 freeFunc   `index:"95"`
	ReleaseValue                   freeFunc   `index:"96"`
	ReleaseRunOptions              freeFunc   `index:"97"`
	ReleaseTypeInfo                freeFunc   `index:"98"`
	ReleaseTensorTypeAndShapeInfo  freeFunc   `index:"99"`
	ReleaseSessionOptions          freeFunc   `index:"100"`
	CreateCUDAProviderOptions      createFunc `index:"205"`
	ReleaseCUDAProviderOptions     freeFunc   `index:"208"`

	GetErrorMessage          func(status address) string                            `index:"2"`
	CreateEnv                func(level int32, name string, env *address) address   `index:"3"`
	SetIntraOpNumThreads     func(opt address, n int32) address                     `index:"24"`
	GetTensorMutableData     func(value address, data *unsafe.Pointer) address      `index:"51"`
	CastTypeInfoToTensorInfo func(info address, tensor *address) address            `index:"55"`
	GetTensorElementType     func(tensor address, element *int32) address           `index:"60"`
	GetDimensionsCount       func(tensor address, n *uintptr) address               `index:"61"`
	GetDimensions            func(tensor address, shape []int64, n uintptr) address `index:"62"`
	GetTensorTypeAndShape    func(value address, tensor *address) address           `index:"65"`
	AllocatorFree            func(allocator address, p *byte) address               `index:"76"`
	AddSessionConfigEntry    func(opt address, key, value string) address           `index:"130"`
	AppendCUDA               func(opt, cuda address) address                        `index:"204"`

	CreateSession           func(env address, path encodedPath, opt address, session *address) address                  `index:"7"`
	CreateSessionFromArray  func(env address, model []byte, size uintptr, opt address, session *address) address        `index:"8"`
	CreateTensorAsOrtValue  func(allocator address, shape []int64, dims uintptr, element int32, value *address) address `index:"48"`
	AppendExecutionProvider func(opt address, name string, keys, values address, n uintptr) address                     `index:"216"`

	Run func(session, opt address, inNames []*byte, in []address, ins uintptr, outNames []*byte, outs uintptr, out []address) address `index:"9"`
}
