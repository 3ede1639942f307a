package wire

import "os"

// A Build identifies one build of the program. A newer build may replace the daemon of an older
// one.
type Build struct {
	Version string `json:"version"`
	// Built is the time at which the executable was written, in milliseconds of Unix time. 0 means
	// unknown. Builds without a version are compared by this time.
	Built int64 `json:"built,omitempty"`
}

// CurrentBuild returns the build of this process. It must be called at the start, before the
// executable may be replaced.
func CurrentBuild(version string) Build {
	b := Build{Version: version}
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			b.Built = info.ModTime().UnixMilli()
		}
	}
	return b
}
