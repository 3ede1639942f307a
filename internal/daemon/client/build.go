package client

import (
	"github.com/Masterminds/semver/v3"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// olderThan reports whether the build b is older than the build "other". Two builds of the same
// release are equally old.
func olderThan(b, other wire.Build) bool {
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
