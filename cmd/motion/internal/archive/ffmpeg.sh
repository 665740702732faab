#!/bin/sh
# Builds ffmpeg and ffprobe into the folder $1 from the source package of this Debian, with its security
# fixes: all decoders, but only the containers, encoders and filters that this project uses, and no
# network. The source stays in $1/source, for whoever passes the programs on: they are under the GPL. Needs
#
#	apt-get install ca-certificates dpkg-dev gcc make nasm libdav1d-dev libx264-dev zlib1g-dev
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >debian.sources
mkdir -p lists/partial
apt() { apt-get -qq -o Dir::Etc::sourcelist="$work/debian.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" -o APT::Sandbox::User=root "$@"; }
apt update
apt source --download-only ffmpeg
mkdir -p "$out/source"
cp ffmpeg_* "$out/source"
dpkg-source -x ffmpeg_*.dsc ffmpeg >/dev/null
cd ffmpeg
# The demuxers after mpegps tell the codecs of streams in MPEG files.
./configure --disable-autodetect --disable-debug --disable-doc --disable-ffplay --disable-network --disable-avdevice --disable-postproc \
	--enable-gpl --enable-zlib --enable-libx264 --enable-libdav1d \
	--disable-demuxers --enable-demuxer=mov,matroska,avi,gif,mpegts,mpegps,aac,ac3,dts,eac3,h264,hevc,loas,m4v,mp3,mpegvideo,truehd \
	--disable-muxers --enable-muxer=mp4,yuv4mpegpipe \
	--disable-encoders --enable-encoder=libx264,aac,wrapped_avframe \
	--disable-protocols --enable-protocol=file,pipe \
	--disable-filters --enable-filter=scale,format,setsar,settb,setpts,metadata,null,transpose,hflip,vflip,rotate,aresample,aformat,anull \
	>configured || { cat configured; exit 1; }
make -s -j"$(nproc)" ffmpeg ffprobe
cp ffmpeg ffprobe "$out"
mkdir -p "$out/doc"
cp debian/copyright "$out/doc"
echo "Debian's source package ffmpeg $(cat "$work"/ffmpeg_*.dsc | sed -n 's/^Version: //p'), built by cmd/motion/internal/archive/ffmpeg.sh of motion" >"$out/doc/SOURCE"
