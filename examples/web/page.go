//go:build !js

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"

	"github.com/bodymotion/motion/httpapi/viewer"
)

var (
	imports = regexp.MustCompile(`(from |import |(?:=> |await )import\()'(\.[^']*)'`) // but not the types that comments import
	styles  = []string{
		"base/base.css", "base/frame.css", "base/controls.css", "player/player.css", "player/timeline.css", "numbers/verdict.css", "numbers/numbers.css",
		"recording/recording.css", "base/narrow.css", "base/phone.css",
	}
)

// page returns the page with everything that it needs: its modules are data addresses of an import map, for a browser
// imports no files from disk.
func page(files map[string][]byte) ([]byte, error) {
	host, err := viewer.New(viewer.Options{})
	if err != nil {
		return nil, err
	}
	get := func(name string) ([]byte, error) {
		answer := httptest.NewRecorder()
		host.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/viewer/"+name, nil))
		if answer.Code != http.StatusOK {
			return nil, fmt.Errorf("viewer/%s: %d", name, answer.Code)
		}
		return answer.Body.Bytes(), nil
	}
	modules := map[string]string{}
	var add func(name string, text []byte) error
	// module adds a module of the page, of the package or of the viewer, with those that it imports.
	module := func(name string) (err error) {
		if modules[name] != "" {
			return nil
		}
		text, ok := files[path.Base(name)]
		if own, err := sources.ReadFile("page/" + path.Base(name)); err == nil && path.Dir(name) == "." {
			text = own
		} else if !ok || path.Dir(name) != "package" {
			if text, err = get(name); err != nil {
				return err
			}
		}
		return add(name, text)
	}
	add = func(name string, text []byte) (err error) {
		modules[name] = "-" // which cycles of imports do not ask for again
		text = imports.ReplaceAllFunc(text, func(found []byte) []byte {
			part := imports.FindSubmatch(found)
			of := path.Join(path.Dir(name), string(part[2]))
			err = errors.Join(err, module(of))
			return fmt.Appendf(nil, "%s'%s'", part[1], of)
		})
		modules[name] = "data:text/javascript;base64," + base64.StdEncoding.EncodeToString(text)
		return err
	}
	if err := module("page.js"); err != nil {
		return nil, err
	}
	known, err := json.Marshal(map[string]any{"imports": modules})
	if err != nil {
		return nil, err
	}
	var css bytes.Buffer
	for _, name := range styles {
		text, err := get(name)
		if err != nil {
			return nil, err
		}
		css.Write(text)
	}
	icon, err := get("icon.svg")
	if err != nil {
		return nil, err
	}
	html, err := sources.ReadFile("page/index.html")
	if err != nil {
		return nil, err
	}
	own, err := sources.ReadFile("page/page.css")
	if err != nil {
		return nil, err
	}
	for mark, text := range map[string]string{
		"/*styles*/": css.String() + string(own), "/*modules*/": string(known), "data:icon": "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon),
		"/*wasm*/": base64.StdEncoding.EncodeToString(files["motion.wasm.gz"]),
	} {
		html = bytes.ReplaceAll(html, []byte(mark), []byte(text))
	}
	return html, nil
}
