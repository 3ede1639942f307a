package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
)

// DefaultToken is the name of the first token, which the server makes when it first starts. It has
// the scope admin.
const DefaultToken = "default"

// tokenPrefix is the beginning of every token. Secret scanners can find leaked tokens by it.
const tokenPrefix = "act_"

// maxTokens bounds the number of tokens.
const maxTokens = 256

var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// A Token is one entry of the token file. Text is set only for the default token, which can be
// printed again. For all other tokens, the file has only a hash of the text.
type Token struct {
	Name  string    `json:"name"`
	Scope ops.Scope `json:"scope"`
	Text  string    `json:"token,omitempty"`
	Hash  string    `json:"sha256"`
	Made  time.Time `json:"made"`
}

// Tokens holds the tokens in a token file. Several processes may use the file: Tokens reads it
// again when it has changed. It is safe for concurrent use.
type Tokens struct {
	path string

	mu    sync.Mutex // guards the fields below
	stamp fs.FileInfo
	list  []Token
}

// OpenTokens reads the token file at path. If the file does not exist, OpenTokens creates it with a
// default token. If other users can read the file, the error is SECURITY_ERROR.
func OpenTokens(path string) (*Tokens, error) {
	t := &Tokens{path: path}
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.readLocked()
	if errors.Is(err, fs.ErrNotExist) {
		_, err = t.addLocked(DefaultToken, ops.Admin)
	}
	return t, err
}

// readLocked reads the file if it has changed.
func (t *Tokens) readLocked() error {
	info, err := os.Lstat(t.path)
	if err != nil {
		t.list, t.stamp = nil, nil
		return err
	}
	if t.stamp != nil && os.SameFile(info, t.stamp) && info.ModTime().Equal(t.stamp.ModTime()) && info.Size() == t.stamp.Size() {
		return nil
	}
	t.list, t.stamp = nil, nil
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return diag.New(diag.SecurityError, "other users can read the file of tokens %s, expected a file of mode 0600", t.path).
			WithHint("run: chmod 600 %s; then make new tokens, because others may have read the old ones", t.path)
	}
	data, err := os.ReadFile(t.path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &t.list); err != nil {
		return diag.New(diag.SecurityError, "the file of tokens %s could not be read: %v", t.path, err).WithHint("delete the file; the next start of the server makes a new token")
	}
	t.stamp = info
	return nil
}

// writeLocked replaces the file.
func (t *Tokens) writeLocked(list []Token) error {
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(t.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".token-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), t.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	t.stamp = nil
	return t.readLocked()
}

// Add makes a token and returns its text. Except for the default token, the text cannot be read
// again.
func (t *Tokens) Add(name string, scope ops.Scope) (text string, err error) {
	if !tokenName.MatchString(name) {
		return "", diag.New(diag.InvalidRequest, "found an invalid token name, expected at most 64 characters: letters, digits, ., _ and -").
			WithHint("use a name such as ci")
	}
	if !scope.Allows(ops.Read) {
		return "", diag.New(diag.InvalidRequest, "found the unknown scope %q, expected read, run or admin", string(scope)).WithHint("use for example --scope run")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.readLocked(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return t.addLocked(name, scope)
}

func (t *Tokens) addLocked(name string, scope ops.Scope) (string, error) {
	switch {
	case slices.ContainsFunc(t.list, func(k Token) bool { return k.Name == name }):
		return "", diag.New(diag.InvalidRequest, "found a token with the name %s, expected a new name", name).WithHint("revoke that token first with: action serve token --revoke %s", name)
	case len(t.list) >= maxTokens:
		return "", diag.New(diag.LimitExceeded, "found %d tokens, which is the limit", maxTokens).WithHint("revoke a token with: action serve token --revoke NAME")
	}
	var random [32]byte
	rand.Read(random[:])
	text := tokenPrefix + base64.RawURLEncoding.EncodeToString(random[:])
	k := Token{Name: name, Scope: scope, Hash: hashOf(text), Made: time.Now().UTC().Truncate(time.Second)}
	if name == DefaultToken {
		k.Text = text
	}
	return text, t.writeLocked(append(slices.Clone(t.list), k))
}

// Revoke removes a token. It is then no longer valid.
func (t *Tokens) Revoke(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.readLocked(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	i := slices.IndexFunc(t.list, func(k Token) bool { return k.Name == name })
	if i < 0 {
		return diag.New(diag.InvalidRequest, "there is no token %q", name).WithHint("list the tokens with: action serve token --list")
	}
	return t.writeLocked(slices.Delete(slices.Clone(t.list), i, i+1))
}

// Default returns the text of the default token. If there is no default token, it makes one.
func (t *Tokens) Default() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.readLocked(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, k := range t.list {
		if k.Name == DefaultToken {
			return k.Text, nil
		}
	}
	return t.addLocked(DefaultToken, ops.Admin)
}

// List returns the tokens without their texts.
func (t *Tokens) List() ([]Token, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.readLocked()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	list := slices.Clone(t.list)
	for i := range list {
		list[i].Text, list[i].Hash = "", ""
	}
	return list, err
}

// check returns the name and the scope of the token with this text. ok is false if there is no such
// token.
func (t *Tokens) check(text string) (name string, scope ops.Scope, ok bool) {
	hash := []byte(hashOf(text))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.readLocked() != nil {
		return "", "", false
	}
	for _, k := range t.list {
		if subtle.ConstantTimeCompare(hash, []byte(k.Hash)) == 1 {
			name, scope, ok = k.Name, k.Scope, true
		}
	}
	return name, scope, ok
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	return hex.EncodeToString(sum[:])
}
