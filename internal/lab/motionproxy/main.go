// Command motionproxy writes the modules of the checkout in the current folder to a module proxy in
// FOLDER, and prints the URL for GOPROXY.
//
//	go run ./internal/lab/motionproxy [-unique] FOLDER
//
// Go's module cache never reloads a version. Use a cache of its own for each run, or -unique, which
// writes the library alone, with a version that depends on its content.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"

	"golang.org/x/mod/module"

	"github.com/bodymotion/motion/internal/lab/modproxy"
)

func main() {
	log.SetFlags(0)
	unique := flag.Bool("unique", false, "the library alone, with a version that depends on its content")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: motionproxy [-unique] FOLDER")
	}
	url, err := lay(flag.Arg(0), *unique)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(url)
}

func lay(folder string, unique bool) (string, error) {
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if !unique {
		return modproxy.LayAll(folder, ".")
	}
	m := module.Version{Path: modproxy.Module, Version: modproxy.Version}
	sum := sha256.New()
	if err := modproxy.WriteZip(sum, ".", m); err != nil {
		return "", err
	}
	m.Version = fmt.Sprintf("%s-x%x", modproxy.Version, sum.Sum(nil)[:6])
	return modproxy.Lay(folder, ".", m)
}
