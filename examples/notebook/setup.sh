#!/bin/sh
# Makes a folder with Jupyter and the kernels gophernotes and GoNB, which find the library
# as it lies in this checkout. It needs Go, gcc, git, patch and Python 3 with venv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)

# The kernels. gophernotes has no release that starts with generics in the library, so that
# its newest release is patched.
cp "$here/kernels/go.mod" "$here/kernels/go.sum" "$dir/"
cd "$dir"
export GOWORK=off # the folder may lie in the checkout
rm -rf gophernotes
release=$(go list -m -f '{{.Path}}@{{.Version}}' github.com/gopherdata/gophernotes)
go mod download "$release"
cp -r "$(go list -m -f '{{.Dir}}' github.com/gopherdata/gophernotes)" gophernotes
chmod -R u+w gophernotes
patch -s -d gophernotes -p 1 <"$here/kernels/gophernotes.patch"
go mod edit -replace github.com/gopherdata/gophernotes=./gophernotes
mkdir -p bin
go build -o bin/ github.com/gopherdata/gophernotes github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports

# Jupyter, and what tells it of the kernels.
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
mkdir -p jupyter/kernels/gophernotes jupyter/kernels/gonb
cat >jupyter/kernels/gophernotes/kernel.json <<END
{"argv": ["$dir/bin/gophernotes", "{connection_file}"], "display_name": "Go (gophernotes)", "language": "go",
 "env": {"GODEBUG": "gotypesalias=0"}}
END
cat >jupyter/kernels/gonb/kernel.json <<END
{"argv": ["$dir/bin/gonb", "--kernel", "{connection_file}"], "display_name": "Go (GoNB)", "language": "go"}
END

# The library, as a proxy in a folder; other modules come from where they always come.
proxy=$(cd "$here/../.." && GOWORK= go run ./internal/lab/motionproxy -unique "$dir/proxy")
# Plugins must be compiled with the flags of gophernotes, which loads them.
cat >env <<END
export GOFLAGS="$(go env GOFLAGS)"
export PATH="$dir/python/bin:$dir/bin:\$PATH"
export JUPYTER_PATH="$dir/jupyter"
export GOMODCACHE="$(go env GOMODCACHE)"
export GOPATH="$dir/go"
export GOPROXY="$proxy,$(go env GOPROXY)"
export GONOSUMDB="github.com/bodymotion/motion"
END
