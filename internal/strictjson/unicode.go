package strictjson

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bodymotion/motion/keypoint"
)

// decoder reads the tokens of data.
type decoder struct {
	*json.Decoder
	data []byte
}

// token reads a token, the value at ptr or the name of a member below it. A string with replacement characters which the
// document does not have is an error: json.Decoder puts them in the place of what is not Unicode.
func (dec *decoder) token(ptr string, name bool) (json.Token, error) {
	began := dec.InputOffset()
	tok, err := dec.Token()
	if s, ok := tok.(string); ok && strings.ContainsRune(s, utf8.RuneError) {
		if detail := notUnicode(dec.data[began:dec.InputOffset()]); detail != "" {
			if name {
				ptr += "/" + escape(s)
			}
			return nil, &keypoint.FieldError{Pointer: ptr, Detail: detail}
		}
	}
	return tok, err
}

// notUnicode says why the JSON of a string is not Unicode, "" if it is.
func notUnicode(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not valid UTF-8"
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		first := escaped(raw[i-1:])
		i += 4
		if !utf16.IsSurrogate(first) {
			continue
		}
		if utf16.DecodeRune(first, escaped(raw[i+1:])) == utf8.RuneError {
			return fmt.Sprintf(`has a lone surrogate, \u%04x`, first)
		}
		i += 6
	}
	return ""
}

// escaped returns the code unit of \uXXXX at the beginning of b, 0 if there is none.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n)
}
