// Package jsonappend appends the pieces of a JSON document to a slice, and reads its numbers and whole documents.
package jsonappend

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
)

// End ends an array or object whose elements each end with a comma.
func End(b []byte, bracket byte) []byte { return append(bytes.TrimSuffix(b, []byte{','}), bracket) }

// Round returns v rounded to a number of decimals, and 0 for −0. It rounds the product with the power of ten,
// half away from zero: 1.005 becomes 1.01, where strconv rounds the exact value, which is less, to 1.
func Round(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	if r := math.Round(v*scale) / scale; !math.IsInf(r, 0) && !math.IsNaN(r) {
		v = r
	}
	return v + 0
}

// Number appends v rounded to a number of decimals, without trailing zeros.
func Number(b []byte, v float64, decimals int) []byte {
	return strconv.AppendFloat(b, Round(v, decimals), 'f', -1, 64)
}

// Marshal returns the JSON of v with each of its numbers as Number writes it.
func Marshal(v any, decimals int) ([]byte, error) {
	doc, err := json.Marshal(v)
	b := make([]byte, 0, len(doc))
	for i := 0; i < len(doc); {
		end := i + 1
		switch c := doc[i]; {
		case c == '"':
			for ; doc[end] != '"'; end++ {
				if doc[end] == '\\' {
					end++
				}
			}
			end++
		case c == '-' || c >= '0' && c <= '9':
			for end < len(doc) && bytes.IndexByte([]byte("0123456789.eE+-"), doc[end]) >= 0 {
				end++
			}
			number, err := strconv.ParseFloat(string(doc[i:end]), 64)
			if err != nil {
				return nil, err
			}
			b, i = Number(b, number, decimals), end
			continue
		}
		b, i = append(b, doc[i:end]...), end
	}
	return b, err
}

// Strict decodes a single document; unknown members are an error.
func Strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("there is more after the document")
	}
	return nil
}

// Rounded is a number that JSON has with at most four decimals.
type Rounded float64

func (n Rounded) MarshalJSON() ([]byte, error) { return Number(nil, float64(n), 4), nil }

// Seconds are times that JSON has with at most six decimals.
type Seconds []float64

func (s Seconds) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for _, t := range s {
		b = append(Number(b, t, 6), ',')
	}
	return End(b, ']'), nil
}
