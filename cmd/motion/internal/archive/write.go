package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// component is a component of a bill of materials, as CycloneDX 1.5 has it.
type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Purl     string    `json:"purl,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licences []licence `json:"licenses"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

// write writes the files that the archive gets, the texts into licences/NAME, and the bill of materials, which has the
// program itself in its metadata.
func write(folder, version string, parts []part) error {
	bill := struct {
		Format   string `json:"bomFormat"`
		Spec     string `json:"specVersion"`
		Version  int    `json:"version"`
		Metadata struct {
			Component component `json:"component"`
		} `json:"metadata"`
		Components []component `json:"components"`
	}{Format: "CycloneDX", Spec: "1.5", Version: 1}
	bill.Metadata.Component = describe(part{name: program, version: version, module: true, licences: []string{"Apache-2.0"}})
	bill.Metadata.Component.Type = "application"
	for _, p := range parts {
		for name, text := range p.texts {
			if err := writeFile(filepath.Join(folder, "licences", filepath.FromSlash(p.name), filepath.FromSlash(name)), text, 0o644); err != nil {
				return err
			}
		}
		if p.file != "" {
			if err := writeFile(filepath.Join(folder, p.file), p.content, 0o755); err != nil {
				return err
			}
		}
		if p.name != program {
			bill.Components = append(bill.Components, describe(p))
		}
	}
	text, err := json.MarshalIndent(bill, "", "\t")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, "sbom.cdx.json"), append(text, '\n'), 0o644)
}

func describe(p part) component {
	c := component{Type: "library", Name: p.name, Version: p.version}
	if p.module {
		c.Purl = "pkg:golang/" + p.name + "@" + p.version
	}
	if p.file != "" {
		sum := sha256.Sum256(p.content)
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	}
	for _, id := range p.licences {
		var l licence
		l.Licence.ID = id
		c.Licences = append(c.Licences, l)
	}
	return c
}

// writeFile writes a file and the folders above it.
func writeFile(path string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, mode)
}
