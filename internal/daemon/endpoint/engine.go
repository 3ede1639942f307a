package endpoint

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// EngineName is the name of the engine's program.
const EngineName = "actiond"

// An Engine identifies the program that runs actions.
type Engine struct {
	Path string
	// ID identifies the build. It changes when the file is replaced.
	ID string
}

// FindEngine finds the engine beside this executable, or in PATH. If there is none, the error is
// BROWSER_UNAVAILABLE.
func FindEngine() (Engine, error) {
	beside := ""
	exe, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		beside = filepath.Join(filepath.Dir(exe), EngineName)
		if e, err := engineAt(beside); err == nil {
			return e, nil
		}
	}
	path, err := exec.LookPath(EngineName)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		return engineAt(path)
	}
	return Engine{}, diag.New(diag.BrowserUnavailable, "the engine is missing: found no %s beside this program (%s) or in PATH", EngineName, beside).
		WithHint("install both programs from the same release in one folder; in a checkout run: make build").Because(err)
}

// ThisEngine returns the running program. It must be called at the start, before the executable may
// be replaced. If the program is unknown, ThisEngine returns the zero value.
func ThisEngine() Engine {
	exe, err := os.Executable()
	if err != nil {
		return Engine{}
	}
	e, err := engineAt(exe)
	if err != nil {
		return Engine{Path: exe}
	}
	return e
}

var errNoProgram = errors.New("the file is not executable")

func engineAt(path string) (Engine, error) {
	path, err := filepath.EvalSymlinks(path) // os.Executable of the engine returns this path too
	if err != nil {
		return Engine{}, err
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0) {
		err = errNoProgram
	}
	if err != nil {
		return Engine{}, err
	}
	id := path + " " + strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	return Engine{Path: path, ID: id}, nil
}

// Environ returns the settings in environ, a list of NAME=value. path is the value of ACTION_PATH,
// or nil if it is not set. session is the value of ACTION_SESSION. env has all other variables that
// the daemon needs.
func Environ(environ []string) (path *string, session string, env map[string]string) {
	env = make(map[string]string)
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case name == "ACTION_PATH":
			path = &value
		case name == "ACTION_SESSION":
			session = value
		case name == "HOME", strings.HasPrefix(name, "ACTION_"):
			env[name] = value
		}
	}
	return path, session, env
}
