package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// ErrLineTooLong is the error for a line that is longer than the limit. [LineReader.Next] skips the
// line.
var ErrLineTooLong = errors.New("line too long")

// A LineReader splits a stream into lines of limited length. It keeps at most one line in memory.
type LineReader struct {
	// Hold is called whenever a line needs memory beyond the buffer of 16 KiB. The argument is the
	// number of further bytes. If Hold returns an error, the line is skipped, and Next returns the
	// error. If Hold is nil, all lines are read.
	Hold func(bytes int) error

	r   *bufio.Reader
	max int
	cut bool
}

// NewLineReader returns a LineReader for r. max limits the length of a line in bytes; 0 means
// [MaxLineBytes].
func NewLineReader(r io.Reader, max int) *LineReader {
	if max == 0 {
		max = MaxLineBytes
	}
	return &LineReader{r: bufio.NewReaderSize(r, 16<<10), max: max}
}

// Next returns the next line, without its line break. It skips blank lines. The caller owns the
// line. After [ErrLineTooLong] or an error of Hold, Next may be called again. At the end, the error
// is [io.EOF].
func (l *LineReader) Next() ([]byte, error) {
	for {
		line, err := l.next()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// Cut reports whether the line that Next returned last had no line break: the stream ended in it.
func (l *LineReader) Cut() bool { return l.cut }

func (l *LineReader) next() ([]byte, error) {
	var line []byte
	l.cut = false
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
			l.cut = true
			return line, nil // the next call returns the end
		default:
			return nil, err
		}
	}
}

// skip discards the rest of a line and returns the argument "why". If reading fails, it returns
// that error.
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
