package motion

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// read reads what json.Marshal has made of d. Lists have many records of media, and
// encoding/json would take most of their time.
func (d *mediaData) read(data []byte) error {
	if m, ok := plainMedia(data); ok {
		*d = m
		return nil
	}
	return json.Unmarshal(data, d)
}

// plainMedia reads an object without white space and escapes. It reports false where there
// is anything else.
func plainMedia(data []byte) (m mediaData, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte("{"))
	for ok {
		var key, value []byte
		if key, rest, ok = cutText(rest); !ok || len(rest) < 2 || rest[0] != ':' {
			return m, false
		}
		rest = rest[1:]
		var to *string
		switch string(key) {
		case "name":
			to = &m.Name
		case "text":
			to = &m.Text
		case "contentMd5":
			to = &m.ContentMD5
		}
		if to != nil {
			if value, rest, ok = cutText(rest); !ok || !utf8.Valid(value) {
				return m, false
			}
			*to = string(value)
		} else {
			end := bytes.IndexAny(rest, ",}")
			if end < 0 || !m.setNumber(string(key), string(rest[:end])) {
				return m, false
			}
			rest = rest[end:]
		}
		if len(rest) == 1 && rest[0] == '}' {
			return m, true
		}
		rest, ok = bytes.CutPrefix(rest, []byte(","))
	}
	return m, false
}

// cutText cuts a string in quotes from what follows it.
func cutText(s []byte) (text, rest []byte, ok bool) {
	if len(s) == 0 || s[0] != '"' {
		return nil, nil, false
	}
	end := bytes.IndexByte(s[1:], '"')
	if end < 0 || bytes.IndexByte(s[1:1+end], '\\') >= 0 {
		return nil, nil, false
	}
	return s[1 : 1+end], s[end+2:], true
}

// setNumber sets a member that is not a text.
func (d *mediaData) setNumber(key, value string) bool {
	var whole *int
	var err error
	switch key {
	case "uploaded":
		d.Uploaded = value == "true"
		return d.Uploaded
	case "frameRate":
		d.FrameRate, err = strconv.ParseFloat(value, 64)
		return err == nil
	case "duration":
		d.Duration, err = strconv.ParseFloat(value, 64)
		return err == nil
	case "width":
		whole = &d.Width
	case "height":
		whole = &d.Height
	case "frames":
		whole = &d.Frames
	default:
		return false
	}
	*whole, err = strconv.Atoi(value)
	return err == nil
}
