package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/loader"
)

type fmtOptions struct {
	*factory
	Paths []string
	Check bool
}

func newFmtCmd(f *factory, runF func(context.Context, *fmtOptions) error) *cobra.Command {
	o := &fmtOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "fmt",
		Short: "Rewrite definition files in their canonical form",
		Long: "Rewrite definition files in their canonical form: steps in the short form, two spaces for each level. " +
			"Comments, the order of keys and the spelling of values do not change. A file that does not load is not changed.",
		Example: "action fmt actions/shop.yaml\naction fmt .agent-browser/actions --check",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Paths = args
			return call(cmd, o, runF, runFmt)
		},
	}
	addBool(cmd.Flags(), &o.Check, "check", "Do not write files; list those that would change, and fail if there are any.")
	return f.takes(cmd, positional{name: "path", doc: "Definition files, or folders that contain them.", many: true})
}

// runFmt rewrites the files that differ from their canonical form, and prints their names. It skips
// an invalid file and still writes the others.
func runFmt(ctx context.Context, o *fmtOptions) error {
	files, err := filesToFormat(o.cwd, o.Paths)
	if err != nil {
		return err
	}
	differ := []string{}
	var problems diag.List
	sources := make(map[string][]byte)
	for _, file := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		changed, data, list := o.format(file)
		sources[file] = data
		problems.Add(list...)
		if changed {
			differ = append(differ, file)
		}
	}
	failed := problems.Err()
	if failed == nil && o.Check && len(differ) > 0 {
		failed = diag.New(diag.DefinitionInvalid, "found %s not in the canonical form", diag.Plural(len(differ), "file")).
			WithHint("to rewrite the files, run `action fmt` without --check")
	}
	if o.json {
		o.writeJSON(map[string]any{"success": failed == nil, "files": len(files), "changed": differ, "errors": nonNil(problems)})
	} else {
		for _, file := range differ {
			fmt.Fprintln(o.stdout, diag.Clean(file))
		}
		if failed != nil {
			o.printer.Source = func(file string) []byte { return sources[file] }
			_ = o.printer.Print(o.stderr, failed)
		}
	}
	if failed != nil {
		return errShown{failed}
	}
	return nil
}

// format formats one file. changed reports whether the file differs from its canonical form. Unless
// Check is set, format rewrites a changed file. data is the original text.
func (o *fmtOptions) format(file string) (changed bool, data []byte, problems diag.List) {
	path := o.inFolder(file)
	data, err := readDefinition(path)
	if err != nil {
		return false, nil, diag.List{notFormatted(file, "read", err)}
	}
	out, problems := loader.Format(file, data)
	if len(problems) > 0 || bytes.Equal(out, data) {
		return false, data, problems
	}
	if !o.Check {
		if err := replaceFile(path, out); err != nil {
			return false, data, diag.List{notFormatted(file, "written", err)}
		}
	}
	return true, data, nil
}

func (o *fmtOptions) inFolder(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(o.cwd, file)
}

func notFormatted(file, how string, err error) *diag.Error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return diag.New(diag.InvalidRequest, "%s cannot be %s: %v", file, how, err).WithHint("use a definition file that is readable and writable").Because(err)
}

// readDefinition reads a file, unless it is too large to be a definition.
func readDefinition(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, loader.MaxFileBytes+1))
}

// replaceFile replaces a file atomically. It follows a link and keeps the permissions.
func replaceFile(path string, data []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".fmt-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Chmod(info.Mode().Perm())
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// filesToFormat returns the files that paths names. For a folder, it returns the definition files
// in the folder. Each file occurs once.
func filesToFormat(cwd string, paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		at := path
		if !filepath.IsAbs(at) {
			at = filepath.Join(cwd, at)
		}
		info, err := os.Stat(at)
		if err != nil {
			return nil, notFormatted(path, "read", err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found := len(files)
		err = filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
			switch ext := filepath.Ext(file); {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "node_modules":
				return fs.SkipDir
			case d.Type().IsRegular() && (ext == ".yaml" || ext == ".yml"):
				rest, _ := filepath.Rel(at, file)
				files = append(files, filepath.Join(path, rest))
			}
			return nil
		})
		if err != nil {
			return nil, notFormatted(path, "read", err)
		}
		if len(files) == found {
			return nil, diag.New(diag.InvalidRequest, "found no definition files in the folder %s, expected .yaml or .yml files", path).WithHint("name a folder with definition files")
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
