package setup

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag with one of some values.
type choice struct {
	value  *string
	values []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return "string" }

func (c choice) Set(v string) error {
	if !slices.Contains(c.values, v) {
		return errors.New("want " + strings.Join(c.values, ", "))
	}
	*c.value = v
	return nil
}

// Choice adds a flag that takes one of values, which shells complete.
func Choice(c *cobra.Command, value *string, name, initial, usage string, values ...string) {
	*value = initial
	c.Flags().Var(choice{value, values}, name, usage)
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// ProgramFlag adds the flag --ffmpeg.
func ProgramFlag(c *cobra.Command, program *string) {
	Choice(c, program, "ffmpeg", Auto, "ffmpeg to use: installed, wasm (inside this process, a sandbox), or auto", Auto, Installed, WASM)
}

// SettingFlag adds the flag --setting.
func SettingFlag(c *cobra.Command, setting *string, initial string) {
	Choice(c, setting, "setting", initial, "how people are found: fast, balanced, or accurate for movies", "fast", "balanced", "accurate")
}
