package files

// Which files a package may create and replace in the folders that are open to it.
//
// No list of names covers everything that is run in a project: each build tool has its own,
// and code has names of any kind. So a package creates files of the kinds that people read
// and programs treat as data, except those that a tool looks for by name. It replaces only
// what a package has written and nobody has changed since.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

var (
	// dataEndings are the endings of files that a package may create, folded.
	dataEndings = folded(
		".avif", ".bmp", ".gif", ".heic", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp",
		".doc", ".docx", ".eml", ".epub", ".htm", ".html", ".mht", ".mhtml", ".odp", ".ods", ".odt", ".pdf", ".ppt", ".pptx", ".rtf", ".txt", ".xls", ".xlsx",
		".csv", ".geojson", ".gpx", ".har", ".ics", ".json", ".jsonl", ".kml", ".log", ".ndjson", ".parquet", ".tsv", ".vcf", ".xml",
		".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zip", ".zst",
		".aac", ".avi", ".flac", ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".ogg", ".wav", ".webm",
	)
	// toolFiles are names with such an ending that tools look for, folded and as patterns
	// of [path.Match]: tools run these files, install them, or open them first.
	toolFiles = foldedAll(
		"*.config.json", "angular.json", "app.json", "appsettings*.json", "biome.json", "bower.json", "cdk.json", "cmakepresets.json",
		"cmakeuserpresets.json", "compile_commands.json", "composer.json", "config.json", "deno.json", "devcontainer.json", "eas.json",
		"ecosystem.json", "firebase.json", "global.json", "jsconfig*.json", "launch.json", "launchsettings.json", "lerna.json", "manifest.json",
		"mcp.json", "nest-cli.json", "ng-package.json", "nodemon.json", "now.json", "npm-shrinkwrap.json", "nx.json", "package.json",
		"package-lock.json", "project.json", "pyrightconfig.json", "renovate.json", "rush.json", "rust-project.json", "serverless.json",
		"settings.json", "settings.local.json", "tasks.json", "tsconfig*.json", "tslint.json", "turbo.json", "typedoc.json", "vcpkg*.json",
		"vercel.json", "workspace.json", "wrangler.json",
		"androidmanifest.xml", "build.xml", "checkstyle.xml", "ivy.xml", "log4j*.xml", "logback*.xml", "persistence.xml", "phpcs.xml",
		"phpunit.xml", "pom.xml", "settings.xml", "testng.xml", "web.xml",
		"cmakelists.txt", "conanfile.txt", "constraints*.txt", "*requirements.txt", "requirements*.txt", "llms.txt", "runtime.txt",
		"index.htm", "index.html",
	)
)

func foldedAll(names ...string) []string {
	for i := range names {
		names[i] = foldName(names[i])
	}
	return names
}

// mayHold refuses a path at which a package may neither create nor replace a file.
func mayHold(real string) error {
	info, err := os.Lstat(real)
	if err == nil && info.IsDir() {
		return nil // the path of the file in it is checked when its name is known
	}
	for _, name := range readings(filepath.Base(real)) {
		if ending := path.Ext(name); !dataEndings[ending] {
			return closedToPackage("written", real, "it is no kind of file that packages may write").
				WithHint("end its name in that of a picture, document, table, data or archive, such as .png, .pdf, .csv, .json or .zip; or use the step in an action of your own")
		}
		if slices.ContainsFunc(toolFiles, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }) {
			return closedToPackage("written", real, "other programs look for a file of this name").
				WithHint("give it another name, or use the step in an action of your own")
		}
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && isMarked(real, info) {
		return nil
	}
	return closedToPackage("replaced", real, "it is there already, and no package has written it as it is").
		WithHint("give a path where no file is, or remove this one if it is not needed")
}

// markName is the extended attribute of a file that a package has written. Its value is
// [markOf] the file, so that a file that somebody has changed since no longer counts.
const markName = "user.action.package"

func markOf(info fs.FileInfo) string {
	return fmt.Sprintf("%d %d", info.ModTime().UnixNano(), info.Size())
}

// mark records that a package has written the file. If the file system has no extended
// attributes, packages cannot replace it.
func mark(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	err = unix.Fsetxattr(int(file.Fd()), markName, []byte(markOf(info)), 0)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return nil
	}
	return err
}

func isMarked(real string, info fs.FileInfo) bool {
	var value [64]byte
	n, err := unix.Lgetxattr(real, markName, value[:])
	return err == nil && info.Mode().IsRegular() && strings.TrimSpace(string(value[:n])) == markOf(info)
}
