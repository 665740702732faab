//go:build js

// Package runtime runs networks in a browser: a program calls ort.Bind with Browser, and a page sets motionRuntime to what
// package/extract/runtime.js makes.
package runtime

import (
	"errors"
	"fmt"
	"syscall/js"
	"unsafe"

	"github.com/bodymotion/motion/internal/ort"
)

// Await waits for a Promise. What JavaScript calls must not wait itself, but a goroutine that it starts may.
func Await(promise js.Value) (value js.Value, err error) {
	settled := make(chan struct{})
	good := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = args[0]
		close(settled)
		return nil
	})
	defer good.Release()
	bad := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New(js.Global().Get("String").Invoke(args[0]).String())
		close(settled)
		return nil
	})
	defer bad.Release()
	promise.Call("then", good, bad)
	<-settled
	return value, err
}

// Browser is the ort.Binding of a browser.
type Browser struct{}

func (Browser) Loaded() bool      { return true } // by the page, or Open says that it is not
func (Browser) Load(string) error { return nil }
func (Browser) Unload() error     { return nil }

func (Browser) Version() string {
	if runtime := js.Global().Get("motionRuntime"); runtime.Truthy() {
		return runtime.Get("version").String()
	}
	return ""
}

func (Browser) Ports(ort.Model) (_, _ []ort.Port, err error) {
	return nil, nil, errors.New("a browser does not tell the inputs and outputs of a model")
}

func (Browser) Open(m ort.Model, opt ort.GraphOptions) (ort.Session, error) {
	runtime := js.Global().Get("motionRuntime")
	switch {
	case !runtime.Truthy():
		return nil, fmt.Errorf("%w: the page does not set motionRuntime", ort.ErrLibrary)
	case m.Path != "":
		return nil, errors.New("a browser has no files: want the bytes of the model")
	}
	outputs := make([]any, len(opt.Outputs))
	for i, name := range opt.Outputs {
		outputs[i] = name
	}
	made, err := Await(runtime.Call("open", copied(m.Data), opt.Input, outputs))
	if err != nil {
		return nil, fmt.Errorf("the model cannot be opened: %w", err)
	}
	return session{made}, nil
}

// object is what has nothing to free. A run in a browser cannot be ended.
type object struct{}

func (object) Destroy() error        { return nil }
func (object) Terminate() error      { return nil }
func (object) UnsetTerminate() error { return nil }

// session is a network that motionRuntime has opened.
type session struct{ js js.Value }

func (s session) Destroy() error {
	_, err := Await(s.js.Call("release"))
	return err
}

func (session) RunOptions() (ort.RunOptions, error) { return object{}, nil }

func (session) Tensor(shape []int64, bytes bool) (ort.Tensor, error) {
	n := int64(1)
	for _, size := range shape {
		n *= size
	}
	if bytes {
		return ort.Tensor{Shape: shape, Data: make([]byte, n), Value: object{}}, nil
	}
	return ort.Tensor{Shape: shape, Data: make([]float32, n), Value: object{}}, nil
}

func (s session) Run(in ort.Tensor, out []ort.Tensor, _ ort.RunOptions) error {
	data, bytes := in.Data.([]byte)
	if !bytes {
		data = bytesOf(in.Data.([]float32))
	}
	dims := make([]any, len(in.Shape))
	for i, n := range in.Shape {
		dims[i] = n
	}
	answer, err := Await(s.js.Call("run", copied(data), dims, !bytes))
	if err != nil {
		return err
	}
	for i := range out {
		from, size := answer.Index(i).Get("bytes"), answer.Index(i).Get("shape")
		numbers, shape := make([]float32, from.Length()/4), make([]int64, size.Length())
		js.CopyBytesToGo(bytesOf(numbers), from)
		for k := range shape {
			shape[k] = int64(size.Index(k).Int())
		}
		out[i] = ort.Tensor{Shape: shape, Data: numbers, Value: object{}}
	}
	return nil
}

// bytesOf returns the memory of numbers.
func bytesOf(numbers []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}

// copied returns bytes as a Uint8Array.
func copied(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}
