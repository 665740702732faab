// Package hostile calls everything that the pure packages export with values that nobody means.
package hostile_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// Another seed and more calls find what is seldom.
var (
	calls = flag.Int("calls", 200, "of each function and method")
	seed  = flag.Uint64("seed", 0, "of the values")
)

const (
	maxMemory = 128 << 20 // bytes that a call may allocate
	maxTime   = time.Minute
)

// function is what is called: a function, or a method with its receiver as the first parameter.
type function struct {
	name   string
	of     reflect.Value
	method bool
}

// functions returns the exported functions and methods in the order of their names.
func functions() (list []function) {
	for name, f := range exportedFuncs {
		list = append(list, function{name, reflect.ValueOf(f), false})
	}
	for name, t := range exportedTypes {
		if t.Kind() == reflect.Interface {
			continue
		}
		of := reflect.PointerTo(t)
		for i := range of.NumMethod() {
			m := of.Method(i)
			if value, ok := t.MethodByName(m.Name); ok {
				m = value
			}
			list = append(list, function{name + "." + m.Name, m.Func, true})
		}
	}
	slices.SortFunc(list, func(a, b function) int { return strings.Compare(a.name, b.name) })
	return list
}

// TestHostile: no exported function or method panics, hangs or allocates beyond all measure, whatever it gets.
func TestHostile(t *testing.T) {
	list := functions()
	known := slices.Sorted(maps.Keys(mistakes))
	for _, f := range list {
		if i := slices.Index(known, f.name); i >= 0 {
			known = slices.Delete(known, i, i+1)
		}
	}
	if len(known) > 0 {
		t.Errorf("mistakes has %q, which are not exported", known)
	}
	pool := newPool(t)
	for _, f := range list {
		t.Run(f.name, func(t *testing.T) {
			own := fnv.New64a()
			own.Write([]byte(f.name))
			m := &maker{rand.New(rand.NewPCG(own.Sum64(), *seed)), pool}
			for n := range *calls {
				if !call(t, f, m.arguments(f, n), pool) {
					return
				}
			}
		})
	}
}

// call calls a function, and reports whether all went well.
func call(t *testing.T, f function, in []reflect.Value, pool pool) bool {
	said, allocated := make(chan string, 1), heap()
	var out []reflect.Value
	go func() {
		defer func() {
			if p := recover(); p != nil {
				said <- fmt.Sprintf("panics: %v\n%s", p, stack())
			}
		}()
		if f.of.Type().IsVariadic() {
			out = f.of.CallSlice(in)
		} else {
			out = f.of.Call(in)
		}
		said <- ""
	}()
	select {
	case problem := <-said:
		if problem != "" && strings.Contains(problem, mistakes[f.name]) && mistakes[f.name] != "" {
			return true
		}
		if used := heap() - allocated; problem == "" && used > maxMemory {
			problem = fmt.Sprintf("allocates %d MB", used>>20)
		}
		if problem != "" {
			t.Errorf("%s %s\nof %s", f.name, problem, show(in))
			return false
		}
		pool.keep(out)
		return true
	case <-time.After(maxTime):
		t.Errorf("%s does not end, of %s", f.name, show(in))
		return false
	}
}

// heap returns how many bytes were allocated so far.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// show returns arguments in short.
func show(in []reflect.Value) string {
	var b strings.Builder
	for _, v := range in {
		text := fmt.Sprintf("%#v", v.Interface())
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			text = "&" + fmt.Sprintf("%#v", v.Elem().Interface())
		}
		fmt.Fprintf(&b, "\n\t%.600s", text)
	}
	return b.String()
}
