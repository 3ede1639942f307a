package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/actionregistry/action/diag"
)

// A Handover is the command line that the client passes to the engine. It is passed in an open
// file, because all users of the machine can see the arguments of a process.
type Handover struct {
	Version string   `json:"version"` // version of the client; must equal the engine's
	Words   []string `json:"words"`   // command line, without the name of the program
}

// handoverVariable is the environment variable with the file descriptor of a Handover.
const handoverVariable = "ACTIOND_HANDOVER"

// mostInPipe is the number of bytes that can be written to any pipe without a reader.
const mostInPipe = 4096

// Open writes h to an unnamed file, and returns the file for reading. The caller must close it.
func (h Handover) Open() (*os.File, error) {
	data, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(data) <= mostInPipe {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		_, err = w.Write(data)
		if err = errors.Join(err, w.Close()); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		return r, nil
	}
	file, err := os.CreateTemp("", "action-words-")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(file.Name()); err == nil {
		_, err = file.Write(data)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Handed returns the environment variable by which a new process finds its Handover. The argument
// fd is the file descriptor of the Handover in that process.
func Handed(fd int) string { return handoverVariable + "=" + strconv.Itoa(fd) }

// TakeHandover reads the Handover of this process, and removes its variable from the environment.
func TakeHandover() (Handover, error) {
	var h Handover
	fd, err := strconv.Atoi(os.Getenv(handoverVariable))
	if err != nil || fd < 3 {
		return h, diag.New(diag.InvalidRequest, "the program %s is the engine of `action`, and cannot be started directly", EngineName).WithHint("run: action --help")
	}
	if err := os.Unsetenv(handoverVariable); err != nil {
		return h, err
	}
	file := os.NewFile(uintptr(fd), "handover")
	if file == nil {
		return h, fmt.Errorf("the command line was not handed over: the file descriptor %d is not open", fd)
	}
	err = json.NewDecoder(file).Decode(&h)
	if err = errors.Join(err, file.Close()); err != nil {
		return h, fmt.Errorf("the command line was not handed over: %w", err)
	}
	return h, nil
}
