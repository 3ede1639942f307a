package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/actionregistry/action/diag"
)

const (
	// Prefix begins the name of each private folder. lockName is the name of the lock file in it.
	Prefix   = "action-"
	lockName = "lock"
)

// A Profile is a private folder for one browser. It is removed when the browser has ended.
type Profile struct {
	dir  string
	lock *os.File
	kept *os.File // the lock of a user's persistent folder; nil without one
}

// NewProfile creates a folder in dir, named after our process, and locks it. An empty dir means
// os.TempDir. The lock is released when our process and the browser have both ended.
func NewProfile(dir string) (*Profile, error) {
	dir, err := os.MkdirTemp(dir, fmt.Sprintf("%s%d-", Prefix, os.Getpid())) // mode 0700
	if err != nil {
		return nil, err
	}
	p := &Profile{dir: dir}
	p.lock, err = os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o600)
	if err == nil {
		err = syscall.Flock(int(p.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil {
		err = os.Mkdir(p.temp(), 0o700)
	}
	if err != nil {
		return nil, errors.Join(err, p.Remove())
	}
	return p, nil
}

// keptLock is the name of the file that our browsers lock while they use a user's folder.
const keptLock = "action.lock"

// Unusable returns the error for a profile folder that cannot be written.
func Unusable(data string, err error) *diag.Error {
	e := diag.New(diag.BrowserUnavailable, "the profile folder %s cannot be used: %v", data, err).Because(err)
	if diag.IsFullDisk(err) {
		return e.WithHint("free some space on the disk of the folder, or use a folder on another disk")
	}
	return e.WithHint("use a folder that you can write to")
}

// Keep locks a user data folder, and creates it if necessary. It fails if another browser uses the
// folder.
func (p *Profile) Keep(data string) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return Unusable(data, err)
	}
	lock, err := os.OpenFile(filepath.Join(data, keptLock), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return Unusable(data, err)
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || usedBy(data) > 0 {
		_ = lock.Close()
		return inUse(data)
	}
	p.kept = lock
	return nil
}

// usedBy returns the id of the Chromium process that uses a folder, or 0.
func usedBy(data string) int {
	owner, err := os.Readlink(filepath.Join(data, "SingletonLock")) // HOST-PID
	if err != nil {
		return 0
	}
	host, id, _ := cutLast(owner, "-")
	pid, err := strconv.Atoi(id)
	if name, _ := os.Hostname(); err != nil || pid < 1 || host != name || !alive(pid) {
		return 0 // left to Chromium to decide
	}
	return pid
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func inUse(data string) *diag.Error {
	return diag.New(diag.BrowserUnavailable, "the profile folder %s is in use by another browser", data).
		WithHint("close the other browser or session, or use another folder")
}

// PredictNothing changes the preferences in a user data folder so that the browser makes no
// connections in advance. Rules for hosts do not cover such connections. Preferences that cannot be
// parsed stay unchanged.
func PredictNothing(data string) error {
	dir := filepath.Join(data, "Default")
	name := filepath.Join(dir, "Preferences")
	prefs, network := make(map[string]json.RawMessage), make(map[string]json.RawMessage)
	switch text, err := os.ReadFile(name); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	case json.Unmarshal(text, &prefs) != nil, prefs["net"] != nil && json.Unmarshal(prefs["net"], &network) != nil:
		return nil
	}
	if prefs == nil || network == nil { // the JSON is null
		return nil
	}
	const option, never = "network_prediction_options", "2"
	if string(network[option]) == never {
		return nil
	}
	network[option] = json.RawMessage(never)
	var err error
	if prefs["net"], err = json.Marshal(network); err != nil {
		return err
	}
	text, err := json.Marshal(prefs)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// Folder returns the private folder. It is removed when the browser has ended.
func (p *Profile) Folder() string { return p.dir }

// Data returns the user data folder for a browser that uses no profile of the user.
func (p *Profile) Data() string { return filepath.Join(p.dir, "data") }

// temp returns the folder for the temporary files of Chromium and its helpers.
func (p *Profile) temp() string { return filepath.Join(p.dir, "t") }

// socketRoom is the length of what Chromium appends to the path of its temporary folder to get the
// path of a socket. Chromium aborts if that path is longer than 104 bytes on macOS, or 108 bytes on
// Linux.
const socketRoom = len("/org.chromium.Chromium.XXXXXX/SingletonSocket")

// environ returns the browser's environment. Temporary files go into the private folder and are
// removed with it. If the path of that folder is too long, they go into /tmp.
func (p *Profile) environ() []string {
	temp := p.temp()
	if len(temp)+socketRoom >= 104 {
		temp = "/tmp"
	}
	return append(os.Environ(), "TMPDIR="+temp)
}

func (p *Profile) Remove() error {
	if p.lock != nil {
		_ = p.lock.Close() // only releases the lock
	}
	if p.kept != nil {
		_ = p.kept.Close()
	}
	// RemoveAll opens the folder, which fails if our process has run out of files. That may also be
	// why no browser has used the folder, so its known content is first removed by name.
	for _, name := range []string{"data/Default/Preferences", "data/Default", "data", "t", lockName} {
		_ = os.Remove(filepath.Join(p.dir, name))
	}
	return os.RemoveAll(p.dir)
}

// Sweep removes the folders in dir that [NewProfile] created for processes that have ended. It
// ignores errors. An empty dir means os.TempDir.
func Sweep(dir string) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if pid, ok := profileOwner(e.Name()); ok && e.IsDir() && !alive(pid) {
			sweepOne(filepath.Join(dir, e.Name()))
		}
	}
}

// profileOwner returns the process id in the name of a profile folder.
func profileOwner(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, Prefix)
	if !ok {
		return 0, false
	}
	id, _, ok := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(id)
	return pid, ok && err == nil && pid > 0
}

// alive reports whether a process with this id exists.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	// A process that has ended keeps its id until it is reaped, which may never happen in a
	// container.
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" Z"))
}

// sweepOne removes dir if it belongs to our user and is not locked. A browser that is still
// shutting down holds the lock.
func sweepOne(dir string) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Getuid() {
		return
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err == nil {
		defer lock.Close()
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			return
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return
	}
	_ = os.RemoveAll(dir)
}
