package wire

import "os"

// A Build names one build of the program, so that a newer one can replace the
// daemon of an older one.
type Build struct {
	Version string `json:"version"`
	// Built is when the executable was written, in milliseconds of Unix time; 0 if unknown.
	// It orders builds without a version.
	Built int64 `json:"built,omitempty"`
}

// CurrentBuild returns the build of this process. A daemon calls it when it starts, because its
// executable may be replaced later.
func CurrentBuild(version string) Build {
	b := Build{Version: version}
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			b.Built = info.ModTime().UnixMilli()
		}
	}
	return b
}
