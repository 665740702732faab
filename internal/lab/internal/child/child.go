// Package child starts a program as a process that gets its orders as JSON in an environment variable, reads lines and
// writes lines.
package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
)

// variable is the environment variable with the orders.
const variable = "MOTION_LAB_ORDERS"

// Orders decodes the orders of this process; ok is false if it has none.
func Orders(orders any) (ok bool, err error) {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal([]byte(text), orders)
}

// Process is a running child.
type Process struct {
	*exec.Cmd
	In  io.WriteCloser
	Out *bufio.Scanner
}

// Start starts a program, this one if it is "", whose complaints go to log.
func Start(program string, orders any, log io.Writer) (*Process, error) {
	text, err := json.Marshal(orders)
	if err == nil && program == "" {
		program, err = os.Executable()
	}
	if err != nil {
		return nil, err
	}
	p := &Process{Cmd: exec.Command(program)}
	p.Env, p.Stderr = append(os.Environ(), variable+"="+string(text)), log
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.Out = bufio.NewScanner(out)
	p.Out.Buffer(nil, 64<<20)
	if p.In, err = p.StdinPipe(); err != nil {
		return nil, err
	}
	return p, p.Cmd.Start()
}

// Read decodes the child's next line.
func (p *Process) Read(v any) error {
	if !p.Out.Scan() {
		return errors.Join(errors.New("a child process has no output"), p.Out.Err())
	}
	return json.Unmarshal(p.Out.Bytes(), v)
}

// End ends the child's input, decodes its last line, unless v is nil, and waits for it.
func (p *Process) End(v any) error {
	err := p.In.Close()
	if v != nil {
		err = errors.Join(err, p.Read(v))
	}
	return errors.Join(err, p.Wait())
}

// Tell writes a line for Read.
func Tell(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }
