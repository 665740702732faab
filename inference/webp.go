package inference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"

	"golang.org/x/image/webp"
)

// golang.org/x/image/webp decodes pictures but no animations. The first frame of an animation is cut out and wrapped as a picture.

// maxAnimatedWebP is how many bytes of an animation are searched for its first frame.
const maxAnimatedWebP = 64 << 20

// webpHead returns the first 30 bytes of r, fewer if it is shorter or fails, and a reader of them and the rest.
func webpHead(r io.Reader) (head []byte, whole io.Reader) {
	head = make([]byte, 30)
	n, _ := io.ReadFull(r, head)
	return head[:n], io.MultiReader(bytes.NewReader(head[:n]), r)
}

func webpConfig(r io.Reader) (image.Config, error) {
	head, whole := webpHead(r)
	if !animatedWebP(head) {
		return webp.DecodeConfig(whole)
	}
	return image.Config{ColorModel: color.RGBAModel, Width: 1 + int(uint24(head[24:])), Height: 1 + int(uint24(head[27:]))}, nil
}

func webpDecode(r io.Reader) (image.Image, error) {
	head, whole := webpHead(r)
	if !animatedWebP(head) {
		return webp.Decode(whole)
	}
	data, err := io.ReadAll(io.LimitReader(whole, maxAnimatedWebP))
	if err != nil {
		return nil, err
	}
	x, y, stream, err := firstWebPFrame(data)
	if err != nil {
		return nil, err
	}
	riff := append([]byte("RIFF\x00\x00\x00\x00WEBP"), stream...)
	binary.LittleEndian.PutUint32(riff[4:], uint32(len(riff)-8))
	img, err := webp.Decode(bytes.NewReader(riff))
	if err != nil {
		return nil, err
	}
	return shift(img, image.Pt(x, y)), nil
}

// shift moves the picture's corner to p, which is even in WebP, as chroma needs.
func shift(img image.Image, p image.Point) image.Image {
	switch m := img.(type) {
	case *image.YCbCr:
		m.Rect = m.Rect.Add(p)
	case *image.NRGBA:
		m.Rect = m.Rect.Add(p)
	}
	return img
}

func animatedWebP(head []byte) bool {
	const animation = 2
	return len(head) >= 30 && string(head[12:16]) == "VP8X" && head[20]&animation != 0
}

// firstWebPFrame returns the position and the VP8 or VP8L chunk of the first frame of an animation.
func firstWebPFrame(b []byte) (x, y int, chunk []byte, err error) {
	cut := errors.New("the animation has no complete frame")
	frame, ok := webpChunk(b[12:], "ANMF")
	if !ok || len(frame) < 8+16 {
		return 0, 0, nil, cut
	}
	for _, kind := range []string{"VP8 ", "VP8L"} {
		if c, ok := webpChunk(frame[8+16:], kind); ok {
			return 2 * int(uint24(frame[8:])), 2 * int(uint24(frame[11:])), c, nil
		}
	}
	return 0, 0, nil, cut
}

// webpChunk returns the first chunk of that kind with its header.
func webpChunk(b []byte, kind string) ([]byte, bool) {
	for len(b) >= 8 {
		size := uint64(binary.LittleEndian.Uint32(b[4:]))
		end := 8 + size + size&1
		if 8+size > uint64(len(b)) {
			return nil, false
		}
		if string(b[:4]) == kind {
			return b[: 8+size : 8+size], true
		}
		b = b[min(end, uint64(len(b))):]
	}
	return nil, false
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }
