package mp4

import (
	"encoding/binary"
	"image"
	"io"
	"math"
)

// matroska writes uncompressed pictures with their times in the Matroska format (RFC
// 9559), which FFmpeg reads from a pipe. It exists because a pipe of bare pictures
// would carry no times, and movies of variable frame rate need theirs.
type matroska struct {
	w    io.Writer
	head []byte // of the block that is being written
}

// The identifiers of the elements that are written.
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

// appendID appends an identifier, which carries its own length.
func appendID(b []byte, id uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		if id>>shift != 0 {
			b = append(b, byte(id>>shift))
		}
	}
	return b
}

// appendSize appends the size of an element in eight bytes.
func appendSize(b []byte, size uint64) []byte {
	return binary.BigEndian.AppendUint64(b, 1<<56|size)
}

func element(id uint32, data ...byte) []byte {
	return append(appendSize(appendID(nil, id), uint64(len(data))), data...)
}

func unsigned(id uint32, v uint64) []byte {
	return element(id, binary.BigEndian.AppendUint64(nil, v)...)
}

func group(id uint32, children ...[]byte) []byte {
	var all []byte
	for _, c := range children {
		all = append(all, c...)
	}
	return element(id, all...)
}

// newMatroska writes the headers: 4:2:0 pictures of the size in limited range, with the
// colours of BT.709 or else BT.601, which the movie takes over; times in microseconds.
func newMatroska(w io.Writer, size image.Point, frameRate float64, bt709 bool) (*matroska, error) {
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
	return &matroska{w: w}, err
}

// write writes a picture in a cluster of its own.
func (m *matroska) write(seconds float64, planes ...[]byte) error {
	size := 4
	for _, p := range planes {
		size += len(p)
	}
	time := unsigned(idTimestamp, uint64(math.Round(seconds*1e6)))
	block := appendSize(appendID(nil, idSimpleBlock), uint64(size))
	b := appendSize(appendID(m.head[:0], idCluster), uint64(len(time)+len(block)+size))
	b = append(append(b, time...), block...)
	b = append(b, 0x81, 0, 0, 0x80) // track 1, the cluster's time, a key frame
	m.head = b
	if _, err := m.w.Write(b); err != nil {
		return err
	}
	for _, p := range planes {
		if _, err := m.w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
