package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// browsers are the programs that print pages, by names and paths on the systems.
var browsers = map[string][]string{
	"darwin": {
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	},
	"windows": {
		`${ProgramFiles}\Google\Chrome\Application\chrome.exe`, `${ProgramFiles(x86)}\Google\Chrome\Application\chrome.exe`,
		`${ProgramFiles(x86)}\Microsoft\Edge\Application\msedge.exe`,
	},
	"": {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"}, // in PATH, anywhere
}

// browser returns the path of a Chromium or one of its relatives.
func browser() (string, error) {
	for _, name := range append(browsers[""], browsers[runtime.GOOS]...) {
		if path, err := exec.LookPath(os.ExpandEnv(name)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium, Chrome or Edge is found: install one, or print FILE.report.html in another browser")
}

// printing is the longest time that a browser may take for a report.
const printing = time.Minute

// printPDF prints a page into a PDF file, with a browser that reaches no network.
func printPDF(ctx context.Context, page, path string) error {
	program, err := browser()
	if err != nil {
		return err
	}
	page, err = filepath.Abs(page)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return err
	}
	profile, err := os.MkdirTemp("", "motion-browser-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	ctx, cancel := context.WithTimeout(ctx, printing)
	defer cancel()
	args := []string{
		"--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir=" + profile, "--print-to-pdf=" + path,
	}
	if os.Geteuid() == 0 { // it refuses to work for root otherwise
		args = append(args, "--no-sandbox")
	}
	address := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(page), "/")}
	cmd := exec.CommandContext(ctx, program, append(args, address.String())...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", program, ctx.Err())
	}
	begin := make([]byte, 5)
	f, openErr := os.Open(path)
	if openErr == nil {
		_, openErr = f.Read(begin)
		f.Close()
	}
	if openErr != nil || string(begin) != "%PDF-" {
		return fmt.Errorf("%s has printed nothing (%v): %s", program, err, strings.TrimSpace(string(out)))
	}
	return nil
}
