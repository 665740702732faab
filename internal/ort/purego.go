//go:build !cgo && !android && !ios && (linux || darwin || windows) && (amd64 || arm64)

package ort

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

var bound Binding = &pure{}

// pure calls ONNX Runtime through its table of functions, without cgo.
type pure struct {
	functions
	handle    uintptr // of the library
	text      func() string
	env       address // 0: not loaded
	allocator address
}

func (p *pure) Loaded() bool    { return p.env != 0 }
func (p *pure) Version() string { return p.text() }

func (p *pure) Load(path string) (err error) {
	if p.handle, err = openLibrary(path); err != nil {
		return err
	}
	if err := p.start(); err != nil {
		return errors.Join(err, closeLibrary(p.handle))
	}
	return nil
}

// start reads the table and makes the environment.
func (p *pure) start() error {
	symbol, err := symbolOf(p.handle, "OrtGetApiBase")
	if err != nil {
		return fmt.Errorf("OrtGetApiBase: %w", err)
	}
	var base func() *[2]uintptr
	var table func(version uint32) *[217]uintptr
	purego.RegisterFunc(&base, symbol)
	purego.RegisterFunc(&table, base()[0])
	purego.RegisterFunc(&p.text, base()[1])
	found := table(24) // of MinVersion
	if found == nil {
		return errors.New("the API base has no table of this version")
	}
	fields := reflect.ValueOf(&p.functions).Elem()
	for i := range fields.NumField() {
		index, err := strconv.Atoi(fields.Type().Field(i).Tag.Get("index"))
		if err != nil {
			return err
		}
		purego.RegisterFunc(fields.Field(i).Addr().Interface(), found[index])
	}
	if err := p.failure(p.GetAllocatorWithDefaultOptions(&p.allocator)); err != nil {
		return err
	}
	const logErrors = 3
	return p.failure(p.CreateEnv(logErrors, "motion", &p.env))
}

func (p *pure) Unload() error {
	p.ReleaseEnv(p.env)
	p.env = 0
	return closeLibrary(p.handle)
}

// failure returns the error that a status is, and frees it.
func (p *pure) failure(status address) error {
	if status == 0 {
		return nil
	}
	defer p.ReleaseStatus(status)
	return errors.New(strings.TrimSpace(p.GetErrorMessage(status)))
}

func (p *pure) Open(m Model, opt GraphOptions) (Session, error) {
	var options address
	if err := p.failure(p.CreateSessionOptions(&options)); err != nil {
		return nil, err
	}
	defer p.ReleaseSessionOptions(options)
	err := errors.Join(p.failure(p.SetIntraOpNumThreads(options, int32(opt.Threads))), p.failure(p.AddSessionConfigEntry(options, spinning, "0")))
	if err != nil {
		return nil, err
	}
	if err := p.appendProvider(options, opt.Provider); err != nil {
		return nil, providerError(opt.Provider, err)
	}
	s := &pureSession{pure: p, in: cStrings(opt.Input), out: cStrings(opt.Outputs...)}
	if m.Path != "" {
		err = p.failure(p.CreateSession(p.env, encoded(m.Path), options, &s.at))
	} else {
		err = p.failure(p.CreateSessionFromArray(p.env, m.Data, uintptr(len(m.Data)), options, &s.at))
	}
	if err != nil {
		return nil, modelError(err)
	}
	return s, nil
}

func (p *pure) appendProvider(options address, provider string) error {
	switch provider {
	case "", "cpu":
		return nil
	case "cuda":
		var cuda address
		if err := p.failure(p.CreateCUDAProviderOptions(&cuda)); err != nil {
			return err
		}
		defer p.ReleaseCUDAProviderOptions(cuda)
		return p.failure(p.AppendCUDA(options, cuda))
	}
	name := map[string]string{"coreml": "CoreML", "directml": "DML", "openvino": "OpenVINO"}[provider]
	return p.failure(p.AppendExecutionProvider(options, name, 0, 0, 0))
}

func (p *pure) Ports(m Model) (in, out []Port, err error) {
	opened, err := p.Open(m, GraphOptions{Options: Options{Threads: 1}})
	if err != nil {
		return nil, nil, err
	}
	defer opened.Destroy()
	s := opened.(*pureSession)
	if in, err = s.list(p.SessionGetInputCount, p.SessionGetInputName, p.SessionGetInputTypeInfo); err != nil {
		return nil, nil, err
	}
	out, err = s.list(p.SessionGetOutputCount, p.SessionGetOutputName, p.SessionGetOutputTypeInfo)
	return in, out, err
}

// pureSession is a session of pure.
type pureSession struct {
	*pure
	at      address
	in, out []*byte // names
}

func (s *pureSession) Destroy() error {
	s.ReleaseSession(s.at)
	return nil
}

// cStrings returns strings of C, which Go does not move.
func cStrings(names ...string) []*byte {
	list := make([]*byte, len(names))
	for i, name := range names {
		list[i] = unsafe.StringData(name + "\x00")
	}
	return list
}

// list returns inputs or outputs, by the functions that ask for them.
func (s *pureSession) list(count countFunc, name nameFunc, info infoFunc) ([]Port, error) {
	var n uintptr
	if err := s.failure(count(s.at, &n)); err != nil {
		return nil, err
	}
	list := make([]Port, n)
	for i := range list {
		var text *byte
		if err := s.failure(name(s.at, uintptr(i), s.allocator, &text)); err != nil {
			return nil, err
		}
		list[i] = Port{Name: goString(text), Type: "no tensor"}
		var typeInfo, tensorInfo address
		err := errors.Join(s.failure(s.AllocatorFree(s.allocator, text)), s.failure(info(s.at, uintptr(i), &typeInfo)))
		if err != nil {
			return nil, err
		}
		if err = s.failure(s.CastTypeInfoToTensorInfo(typeInfo, &tensorInfo)); err == nil && tensorInfo != 0 {
			list[i].Type, list[i].Shape, err = s.typeAndShape(tensorInfo)
		}
		if s.ReleaseTypeInfo(typeInfo); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// goString copies a string of C.
func goString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

func (p *pure) typeAndShape(info address) (string, []int64, error) {
	var element int32
	var dims uintptr
	if err := errors.Join(p.failure(p.GetTensorElementType(info, &element)), p.failure(p.GetDimensionsCount(info, &dims))); err != nil {
		return "", nil, err
	}
	shape := make([]int64, dims)
	return typeName(int(element)), shape, p.failure(p.GetDimensions(info, shape, dims))
}

// object is one that Destroy frees.
type object struct {
	*pure
	at   address
	free func(address)
}

func (o object) Destroy() error        { o.free(o.at); return nil }
func (o object) Terminate() error      { return o.failure(o.RunOptionsSetTerminate(o.at)) }
func (o object) UnsetTerminate() error { return o.failure(o.RunOptionsUnsetTerminate(o.at)) }

func (s *pureSession) RunOptions() (RunOptions, error) {
	o := object{pure: s.pure, free: s.ReleaseRunOptions}
	err := s.failure(s.CreateRunOptions(&o.at))
	return o, err
}

func (s *pureSession) Tensor(shape []int64, bytes bool) (Tensor, error) {
	element := int32(1) // float32, in elementTypes
	if bytes {
		element = 2
	}
	var v address
	if err := s.failure(s.CreateTensorAsOrtValue(s.allocator, shape, uintptr(len(shape)), element, &v)); err != nil {
		return Tensor{}, err
	}
	t := s.content(v)
	if numbers, ok := t.Data.([]float32); ok {
		clear(numbers)
	} else {
		clear(t.Data.([]byte))
	}
	return t, nil
}

// content returns a value as a tensor, whose numbers are ONNX Runtime's own.
func (s *pureSession) content(v address) Tensor {
	t := Tensor{Value: object{s.pure, v, s.ReleaseValue}}
	var info address
	if s.failure(s.GetTensorTypeAndShape(v, &info)) != nil {
		return t // no tensor
	}
	defer s.ReleaseTensorTypeAndShapeInfo(info)
	element, shape, err := s.typeAndShape(info)
	var data unsafe.Pointer
	if err != nil || s.failure(s.GetTensorMutableData(v, &data)) != nil {
		return t
	}
	t.Shape = shape
	n := 1
	for _, size := range shape {
		n *= int(size)
	}
	switch element {
	case "float32":
		t.Data = unsafe.Slice((*float32)(data), n)
	case "float64":
		t.Data = unsafe.Slice((*float64)(data), n)
	case "int64":
		t.Data = unsafe.Slice((*int64)(data), n)
	case "int32":
		t.Data = unsafe.Slice((*int32)(data), n)
	case "uint8":
		t.Data = unsafe.Slice((*byte)(data), n)
	}
	return t
}

func (s *pureSession) Run(in Tensor, out []Tensor, opt RunOptions) error {
	values := make([]address, len(out))
	for i, t := range out {
		if t.Value != nil {
			values[i] = t.Value.(object).at
		}
	}
	ins := []address{in.Value.(object).at}
	if err := s.failure(s.functions.Run(s.at, opt.(object).at, s.in, ins, uintptr(len(ins)), s.out, uintptr(len(values)), values)); err != nil {
		return err
	}
	for i, v := range values {
		if out[i].Value == nil {
			out[i] = s.content(v)
		}
	}
	return nil
}
