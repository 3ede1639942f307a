package endpoint

import "runtime/debug"

// version is set by the linker for releases.
var version = ""

// Version returns the version of this program. The client and the engine must have the same
// version.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
