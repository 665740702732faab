package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// secrets are the variables of the environment that may hold one.
var secrets = []string{
	"MOTION_KEY", "MOTION_CLIENT", "MOTION_DB", "MOTION_BLOBS",
	"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "PGPASSWORD",
}

// forgetSecrets removes the secrets from the environment, which the programs that this process starts inherit.
func forgetSecrets() {
	for _, name := range secrets {
		os.Unsetenv(name)
	}
}

// minKey is the least length of a key, bytes.
const minKey = 16

// loadKey reads the key of tokens and links from the folder of --data, unless MOTION_KEY gave one.
// The first time, it makes the key. The folder has to be locked.
func (s *settings) loadKey() error {
	if s.key != "" {
		return nil
	}
	if s.Shared() {
		s.say("MOTION_KEY is not set: tokens and links of this process are not valid in others that share its --db")
	}
	path := filepath.Join(s.Data, "key")
	text, err := os.ReadFile(path)
	switch s.key = strings.TrimSpace(string(text)); {
	case errors.Is(err, fs.ErrNotExist):
		s.key = rand.Text()
		return writeSecret(path, s.key+"\n")
	case err == nil && len(s.key) < minKey:
		err = fmt.Errorf("%s is damaged: remove it, and a new key is made; tokens and links of the old one are void then", path)
	}
	return err
}

// loadClient reads the id and the secret of the one client from the folder of --data, unless --client gave some. The first time, it makes
// them: the recordings of the local user belong to this client, and are there again after a restart. The folder has to be locked.
func (s *settings) loadClient() error {
	if s.clients.first != "" {
		return nil
	}
	path := filepath.Join(s.Data, "client")
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = fmt.Appendf(nil, "client-%s:%s\n", rand.Text()[:8], rand.Text())
		if err := writeSecret(path, string(text)); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if err := s.clients.Set(strings.TrimSpace(string(text))); err != nil {
		return fmt.Errorf("%s is damaged (%w): mend or remove it; recordings belong to the client that it names", path, err)
	}
	s.say("no --client given: the client of %s is used: id %s, secret %s", path, s.clients.first, s.clients.secrets[s.clients.first])
	return nil
}

// writeSecret writes a file that only this user can read, whole or not at all.
func writeSecret(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when the file has been renamed
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
