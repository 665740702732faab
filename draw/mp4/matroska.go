package mp4

import (
	"encoding/binary"
	"image"
	"io"
	"math"
	"slices"
)

// FFmpeg reads uncompressed pictures with their times from a pipe in the Matroska format (RFC 9559). Raw
// pictures would have no times, which movies of variable frame rate need. These are identifiers of elements.
const (
	idEBML           = 0x1A45DFA3
	idDocType        = 0x4282
	idSegment        = 0x18538067
	idInfo           = 0x1549A966
	idTimestampScale = 0x2AD7B1
	idTracks         = 0x1654AE6B
	idTrackEntry     = 0xAE
	idTrackNumber    = 0xD7
	idTrackUID       = 0x73C5
	idTrackType      = 0x83
	idCodecID        = 0x86
	idFrameDuration  = 0x23E383
	idVideo          = 0xE0
	idPixelWidth     = 0xB0
	idPixelHeight    = 0xBA
	idColourSpace    = 0x2EB524
	idColour         = 0x55B0
	idMatrix         = 0x55B1
	idRange          = 0x55B9
	idTransfer       = 0x55BA
	idPrimaries      = 0x55BB
	idCluster        = 0x1F43B675
	idTimestamp      = 0xE7
	idSimpleBlock    = 0xA3
)

// appendID appends an identifier, which encodes its own length.
func appendID(b []byte, id uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		if id>>shift != 0 {
			b = append(b, byte(id>>shift))
		}
	}
	return b
}

// appendSize appends the size of an element in eight bytes.
func appendSize(b []byte, size uint64) []byte { return binary.BigEndian.AppendUint64(b, 1<<56|size) }

func element(id uint32, data ...byte) []byte {
	return append(appendSize(appendID(nil, id), uint64(len(data))), data...)
}

func unsigned(id uint32, v uint64) []byte {
	return element(id, binary.BigEndian.AppendUint64(nil, v)...)
}

func group(id uint32, children ...[]byte) []byte {
	return element(id, slices.Concat(children...)...)
}

// writeHeader begins a file of 4:2:0 pictures in limited range with the colours of BT.709 or BT.601, and times in
// microseconds. A frame rate of 0 is unknown.
func writeHeader(w io.Writer, size image.Point, frameRate float64, bt709 bool) error {
	colours := uint64(6) // matrix, transfer and primaries, by ITU-T H.273
	if bt709 {
		colours = 1
	}
	track := [][]byte{
		unsigned(idTrackNumber, 1), unsigned(idTrackUID, 1), unsigned(idTrackType, 1),
		element(idCodecID, []byte("V_UNCOMPRESSED")...),
		group(idVideo, unsigned(idPixelWidth, uint64(size.X)), unsigned(idPixelHeight, uint64(size.Y)),
			element(idColourSpace, []byte("I420")...),
			group(idColour, unsigned(idMatrix, colours), unsigned(idRange, 1), unsigned(idTransfer, colours), unsigned(idPrimaries, colours))),
	}
	if frameRate > 0 {
		track = append(track, unsigned(idFrameDuration, uint64(math.Round(1e9/frameRate))))
	}
	b := group(idEBML, element(idDocType, []byte("matroska")...))
	b = append(appendID(b, idSegment), 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff) // of unknown size
	b = append(b, group(idInfo, unsigned(idTimestampScale, 1000))...)
	b = append(b, group(idTracks, group(idTrackEntry, track...))...)
	_, err := w.Write(b)
	return err
}

// writePicture writes a picture as a cluster.
func writePicture(w io.Writer, seconds float64, planes ...[]byte) error {
	size := 4
	for _, p := range planes {
		size += len(p)
	}
	time := unsigned(idTimestamp, uint64(math.Round(seconds*1e6)))
	block := appendSize(appendID(nil, idSimpleBlock), uint64(size))
	b := appendSize(appendID(nil, idCluster), uint64(len(time)+len(block)+size))
	b = append(append(b, time...), block...)
	b = append(b, 0x81, 0, 0, 0x80) // track 1, the cluster's time, a key frame
	for _, p := range append([][]byte{b}, planes...) {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
