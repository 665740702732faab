// Command motionproxy writes the checkout in the current folder to a module proxy in FOLDER, and
// prints the URL for GOPROXY.
//
//	go run ./internal/lab/motionproxy FOLDER
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"

	"golang.org/x/mod/module"

	"github.com/bodymotion/motion/internal/lab/modproxy"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: motionproxy FOLDER")
	}
	url, err := lay(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(url)
}

// lay writes the checkout with a version that depends on its content, because Go's module cache never
// reloads a version.
func lay(folder string) (string, error) {
	m := module.Version{Path: "github.com/bodymotion/motion", Version: modproxy.Version}
	sum := sha256.New()
	if err := modproxy.WriteZip(sum, ".", m); err != nil {
		return "", err
	}
	m.Version = fmt.Sprintf("%s.x%x", modproxy.Version, sum.Sum(nil)[:6])
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	return modproxy.Lay(folder, ".", m)
}
