package files

// The files that a package may create and replace in the folders that it may write.
//
// No list of names covers everything that is run in a project: each build tool has its own, and
// code has names of any kind. So a package may create only files of the kinds that people read and
// programs treat as data, except those that a tool finds by name. It may replace only a file that
// a package has written and that has not changed since.

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

var (
	// dataEndings are the extensions of files that packages may create.
	dataEndings = folded(
		".avif", ".bmp", ".gif", ".heic", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp",
		".doc", ".docx", ".eml", ".epub", ".htm", ".html", ".mht", ".mhtml", ".odp", ".ods", ".odt", ".pdf", ".ppt", ".pptx", ".rtf", ".txt", ".xls", ".xlsx",
		".csv", ".geojson", ".gpx", ".har", ".ics", ".json", ".jsonl", ".kml", ".log", ".ndjson", ".parquet", ".tsv", ".vcf", ".xml",
		".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zip", ".zst",
		".aac", ".avi", ".flac", ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".ogg", ".wav", ".webm",
	)
	// toolFiles are patterns of names that packages may not use, because other programs run or
	// install files of these names. The patterns are for [path.Match].
	toolFiles = foldedAll(
		"*.conf.json", "*.config.json", "angular.json", "api-extractor.json", "app.json", "appsettings*.json", "biome.json", "bower.json", "cargo.json", "cdk.json", "cmakepresets.json",
		"cmakeuserpresets.json", "compile_commands.json", "composer.json", "config.json", "deno.json", "devcontainer.json", "eas.json",
		"ecosystem.json", "extensions.json", "firebase.json", "global.json", "jsconfig*.json", "keybindings.json", "launch.json", "launchsettings.json", "lerna.json", "local.settings.json",
		"manifest.json", "mcp.json", "mcp_config.json", "nest-cli.json", "ng-package.json", "nodemon.json", "now.json", "npm-shrinkwrap.json", "nx.json", "package.json",
		"package-lock.json", "pnpm-lock.json", "project.json", "pyrightconfig.json", "renovate.json", "rush.json", "rust-project.json", "serverless.json",
		"settings.json", "settings.local.json", "tasks.json", "tsconfig*.json", "tslint.json", "turbo.json", "typedoc.json", "vcpkg*.json",
		"vercel.json", "workspace.json", "wrangler.json",
		"*.tf.json", "*.tfvars.json", "*.tftest.json", "*.pkr.json", "*.pkrvars.json", "*.nomad.json", "*.code-workspace.json",
		"captainhook*.json", "cdktf.json", "crush.json", "cypress*.json", "devbox.json", "docker-bake*.json", "docker-compose*.json", "compose*.json", "hooks.json",
		"jest*.json", "karma*.json", "knexfile.json", "lefthook*.json", "monaca.json", "nightwatch*.json", "opencode*.json", "playwright*.json", "protractor*.json",
		"skaffold*.json", "sst.json", "tauri*.json", "testem*.json", "wdio*.json",
		"*.config.xml", "androidmanifest.xml", "build.xml", "checkstyle.xml", "ivy.xml", "log4j*.xml", "logback*.xml", "persistence.xml", "phpcs.xml",
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

// mayHold returns an error if packages may not create or replace a file at the path "real".
func mayHold(real string) error {
	info, err := os.Lstat(real)
	if err == nil && info.IsDir() {
		return nil // the path of the file in it is checked when its name is known
	}
	for _, name := range readings(filepath.Base(real)) {
		if ending := path.Ext(name); !dataEndings[ending] {
			return closedToPackage("write", real, "packages may not write files of this type").
				WithHint("use an extension such as .png, .pdf, .csv, .json or .zip; or use this step in your own action, not in a package")
		}
		if slices.ContainsFunc(toolFiles, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }) {
			return closedToPackage("write", real, "other programs read files with this name").
				WithHint("give the file another name; or use this step in your own action, not in a package")
		}
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && isMarked(real, info) {
		return nil
	}
	return closedToPackage("replace", real, "the file exists, and its content does not come from a package").
		WithHint("give the path of a new file; or first remove the file at this path, if nobody needs it")
}

// markName is the extended attribute of files that a package has written. Its value is the result
// of [markOf]. If the file has changed since, the mark is not valid.
const markName = "user.action.package"

// markOf returns the mark of a file with this size and content. It contains no time, because a copy
// or an editor can keep the time of the file that it replaces.
func markOf(size int64, content hash.Hash) string {
	return fmt.Sprintf("%d %x", size, content.Sum(nil))
}

// mark marks a file as written by a package. It does nothing if the file system has no extended
// attributes. Packages then cannot replace the file later.
func mark(file *os.File, content hash.Hash) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	err = unix.Fsetxattr(int(file.Fd()), markName, []byte(markOf(info.Size(), content)), 0)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return nil
	}
	return err
}

// isMarked reports whether a package has written the file and its content is still the same.
func isMarked(real string, info fs.FileInfo) bool {
	var value [128]byte
	n, err := unix.Lgetxattr(real, markName, value[:])
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	size, _, _ := strings.Cut(string(value[:n]), " ")
	if size != strconv.FormatInt(info.Size(), 10) {
		return false
	}
	file, err := os.OpenFile(real, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	content := sha256.New()
	length, err := io.Copy(content, io.LimitReader(file, info.Size()+1))
	return err == nil && string(value[:n]) == markOf(length, content)
}
