#!/bin/sh
# Lays the image's files into the folder $1, in a checkout: motion, ONNX Runtime, the programs that ffmpeg.sh built
# into $2, the shared libraries that they load, certificates, licences, and the user nobody, who owns
# /var/lib/motion alone.
set -eu
tree=$1 ffmpeg=$2 bin=$1/usr/local/bin doc=$1/usr/share/doc
install -d "$bin" "$doc" "$tree/etc/ssl/certs"
install -d -o 65534 -g 65534 "$tree/var/lib/motion"
install -d -m 1777 "$tree/tmp"
cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs"
echo 'nobody:x:65534:65534:nobody:/var/lib/motion:/sbin/nologin' >"$tree/etc/passwd"
echo 'nogroup:x:65534:' >"$tree/etc/group"

go build -trimpath -ldflags=-s -o "$bin/motion" ./cmd/motion
archive=$(mktemp -d)
go run ./cmd/motion/internal/archive "$archive"
mv "$archive/libonnxruntime.so" "$bin"
mv "$archive/licences" "$doc/motion"
rm -r "$archive" "$doc/motion/ffmpeg" # that of the archives, as WebAssembly
cp "$ffmpeg/ffmpeg" "$ffmpeg/ffprobe" "$bin"
cp -r "$ffmpeg/doc" "$doc/ffmpeg"

ldd "$bin"/* | grep -o '/[^ ]*\.so[^ :]*' | sort -u | grep -v "^$bin/" | while read -r library; do
	install -D "$library" "$tree$library"
	package=$(dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "/usr$library")
	package=${package%%:*}
	install -D "/usr/share/doc/$package/copyright" "$doc/$package/copyright"
	dpkg-query -W -f '${Package} ${Version}, source package ${source:Package} ${source:Version}\n' "$package" >"$doc/$package/SOURCE"
done
