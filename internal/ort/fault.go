package ort

import (
	"cmp"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
)

// fault returns what is wrong with a file that could not be loaded, "" if it is a library for this
// platform. The system often says only that there is no such file.
func fault(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	var built string
	if e, err := elf.NewFile(f); err == nil {
		built = "linux/" + cmp.Or(map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_ARM: "arm", elf.EM_386: "386"}[e.Machine], e.Machine.String())
	} else if m, err := macho.NewFile(f); err == nil {
		built = "darwin/" + cmp.Or(map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[m.Cpu], m.Cpu.String())
	} else if p, err := pe.NewFile(f); err == nil {
		built = "windows/" + cmp.Or(map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[p.Machine], fmt.Sprint(p.Machine))
	} else if m, err := macho.NewFatFile(f); err == nil && len(m.Arches) > 0 {
		return ""
	} else {
		return "it is damaged or no shared library"
	}
	if built != Platform {
		return "it is built for " + built
	}
	return ""
}
