package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// ErrLineTooLong says that a line was longer than allowed and has been skipped; the next
// one can be read.
var ErrLineTooLong = errors.New("line too long")

// A LineReader cuts a stream into lines of limited length. It keeps at most one line in
// memory.
type LineReader struct {
	// Hold, when set, is called before a line takes up so many bytes more than the 16 KiB
	// that each reader has. With an error the line is skipped, and Next returns the error.
	Hold func(bytes int) error

	r   *bufio.Reader
	max int
}

// NewLineReader reads r; max is in bytes, 0 means [MaxLineBytes].
func NewLineReader(r io.Reader, max int) *LineReader {
	if max == 0 {
		max = MaxLineBytes
	}
	return &LineReader{r: bufio.NewReaderSize(r, 16<<10), max: max}
}

// Next returns the next line that is not blank, without its line break; it is the
// caller's. A last line without a line break counts. The error is
// [ErrLineTooLong] or that of Hold, after which the next line can be read,
// [io.EOF] or that of the reader.
func (l *LineReader) Next() ([]byte, error) {
	for {
		line, err := l.next()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

func (l *LineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			line = line[:len(line)-1]
			if len(line) > l.max {
				return nil, ErrLineTooLong
			}
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if len(line) > l.max {
				return nil, l.skip(ErrLineTooLong)
			}
			if l.Hold != nil {
				if err := l.Hold(len(part)); err != nil {
					return nil, l.skip(err)
				}
			}
		case errors.Is(err, io.EOF) && len(line) > l.max:
			return nil, ErrLineTooLong
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil // the end itself comes with the next call
		default:
			return nil, err
		}
	}
}

// skip discards the rest of a line, and returns why.
func (l *LineReader) skip(why error) error {
	for {
		_, err := l.r.ReadSlice('\n')
		switch {
		case err == nil, errors.Is(err, io.EOF):
			return why
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}
