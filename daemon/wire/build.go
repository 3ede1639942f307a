package wire

import (
	"os"

	"github.com/Masterminds/semver/v3"
)

// A Build names one build of the program, so that a newer one can replace the
// daemon of an older one.
type Build struct {
	Version string `json:"version"`
	// Built is when the executable was written, in milliseconds of Unix time; 0
	// when that is not known. It tells builds without a version of their own
	// apart.
	Built int64 `json:"built,omitempty"`
}

// CurrentBuild is the build of this process. A daemon asks when it starts: its
// executable may be replaced while it runs.
func CurrentBuild(version string) Build {
	b := Build{Version: version}
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			b.Built = info.ModTime().UnixMilli()
		}
	}
	return b
}

// OlderThan reports whether b is to be replaced by other. Two installations of
// one release are not older than each other, whenever they were copied.
func (b Build) OlderThan(other Build) bool {
	mine, err := semver.NewVersion(b.Version)
	theirs, err2 := semver.NewVersion(other.Version)
	if err == nil && err2 == nil {
		if c := mine.Compare(theirs); c != 0 {
			return c < 0
		}
		if isRelease(mine) && isRelease(theirs) {
			return false
		}
	}
	return b.Built != 0 && b.Built < other.Built
}

func isRelease(v *semver.Version) bool { return v.Prerelease() == "" && v.Metadata() == "" }
