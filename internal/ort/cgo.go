//go:build cgo

package ort

import (
	"errors"

	onnx "github.com/yalue/onnxruntime_go"
)

var bound Binding = cgo{}

// cgo calls ONNX Runtime through package onnxruntime_go.
type cgo struct{}

func (cgo) Loaded() bool    { return onnx.IsInitialized() }
func (cgo) Unload() error   { return onnx.DestroyEnvironment() }
func (cgo) Version() string { return onnx.GetVersion() }

func (cgo) Load(path string) error {
	onnx.SetSharedLibraryPath(path)
	return onnx.InitializeEnvironment(onnx.WithLogLevelError())
}

func (cgo) Ports(m Model) (_, _ []Port, err error) {
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, nil, err
	}
	defer options.Destroy()
	var in, out []onnx.InputOutputInfo
	if m.Path != "" {
		in, out, err = onnx.GetInputOutputInfoWithOptions(m.Path, options)
	} else {
		in, out, err = onnx.GetInputOutputInfoWithONNXData(m.Data)
	}
	if err != nil {
		return nil, nil, modelError(err)
	}
	return ports(in), ports(out), nil
}

func ports(infos []onnx.InputOutputInfo) []Port {
	list := make([]Port, len(infos))
	for i, info := range infos {
		list[i] = Port{info.Name, "no tensor", info.Dimensions}
		if info.OrtValueType == onnx.ONNXTypeTensor {
			list[i].Type = typeName(int(info.DataType))
		}
	}
	return list
}

func (cgo) Open(m Model, opt GraphOptions) (Session, error) {
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	if err := errors.Join(options.SetIntraOpNumThreads(opt.Threads), options.AddSessionConfigEntry(spinning, "0")); err != nil {
		return nil, err
	}
	if err := appendProvider(options, opt.Provider); err != nil {
		return nil, providerError(opt.Provider, err)
	}
	var s *onnx.DynamicAdvancedSession
	if m.Path != "" {
		s, err = onnx.NewDynamicAdvancedSession(m.Path, []string{opt.Input}, opt.Outputs, options)
	} else {
		s, err = onnx.NewDynamicAdvancedSessionWithONNXData(m.Data, []string{opt.Input}, opt.Outputs, options)
	}
	if err != nil {
		return nil, modelError(err)
	}
	return cgoSession{s}, nil
}

func appendProvider(options *onnx.SessionOptions, provider string) error {
	switch provider {
	case "cuda":
		cuda, err := onnx.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		return errors.Join(options.AppendExecutionProviderCUDA(cuda), cuda.Destroy())
	case "coreml":
		return options.AppendExecutionProviderCoreMLV2(map[string]string{})
	case "directml":
		return options.AppendExecutionProviderDirectML(0)
	case "openvino":
		return options.AppendExecutionProviderOpenVINO(map[string]string{})
	}
	return nil
}

type cgoSession struct{ *onnx.DynamicAdvancedSession }

func (cgoSession) RunOptions() (RunOptions, error) { return onnx.NewRunOptions() }

func (cgoSession) Tensor(shape []int64, bytes bool) (Tensor, error) {
	var v onnx.Value
	var err error
	if bytes {
		v, err = onnx.NewEmptyTensor[uint8](shape)
	} else {
		v, err = onnx.NewEmptyTensor[float32](shape)
	}
	if err != nil {
		return Tensor{}, err
	}
	return cgoTensor(v), nil
}

func (s cgoSession) Run(in Tensor, out []Tensor, opt RunOptions) error {
	values := make([]onnx.Value, len(out))
	for i, t := range out {
		if t.Value != nil {
			values[i] = t.Value.(onnx.Value)
		}
	}
	// The values of a failed run must not be freed.
	if err := s.RunWithOptions([]onnx.Value{in.Value.(onnx.Value)}, values, opt.(*onnx.RunOptions)); err != nil {
		return err
	}
	for i, v := range values {
		out[i] = cgoTensor(v)
	}
	return nil
}

func cgoTensor(v onnx.Value) Tensor {
	t := Tensor{Shape: v.GetShape(), Value: v}
	switch v := v.(type) {
	case *onnx.Tensor[float32]:
		t.Data = v.GetData()
	case *onnx.Tensor[float64]:
		t.Data = v.GetData()
	case *onnx.Tensor[int64]:
		t.Data = v.GetData()
	case *onnx.Tensor[int32]:
		t.Data = v.GetData()
	case *onnx.Tensor[uint8]:
		t.Data = v.GetData()
	}
	return t
}
