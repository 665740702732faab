package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/bodymotion/motion/keypoint"
)

// main gives JavaScript one function: (method, handle or data, options, other handle) → {handle}, {text}, {value} or
// {error, places}.
func main() {
	debug.SetGCPercent(400) // recordings are small, and collecting stops everything
	s := session{recordings: map[int]*recording{}}
	js.Global().Call("motionReady", js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if p := recover(); p != nil {
				answer = problem(fmt.Errorf("%v", p))
			}
		}()
		var data []byte
		var of, other int
		if args[1].Type() == js.TypeNumber {
			of = args[1].Int()
		} else {
			data = make([]byte, args[1].Length())
			js.CopyBytesToGo(data, args[1])
		}
		if args[3].Type() == js.TypeNumber {
			other = args[3].Int()
		}
		value, err := s.call(args[0].String(), data, of, []byte(args[2].String()), other)
		if err != nil {
			return problem(err)
		}
		switch v := value.(type) {
		case nil:
			return nil
		case int:
			return map[string]any{"handle": v}
		case string:
			return map[string]any{"text": v}
		}
		text, err := json.Marshal(value)
		if err != nil {
			return problem(err)
		}
		return map[string]any{"value": string(text)}
	}))
	select {}
}

// problem is an error with the places that it names.
func problem(err error) any {
	var fields keypoint.FieldErrors
	places := []any{}
	if errors.As(err, &fields) {
		for _, f := range fields {
			places = append(places, map[string]any{"pointer": f.Pointer, "detail": f.Detail})
		}
	}
	return map[string]any{"error": err.Error(), "places": places}
}
