package catalogue

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// maxUpload is the maximum number of files from a folder.
const maxUpload = 10_000

type uploadArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the file input, or an element that leads to it"`
	Files    []string      `arg:"files,required" pos:"2" doc:"path of a file, or a list of them"`
}

type uploadResult struct {
	Files []string `json:"files" doc:"names that the page received"`
	Count int      `json:"count" doc:"number of files"`
	Kept  bool     `json:"kept" doc:"whether the input still contains them; false if the page has removed them"`
}

var uploadSteps = []*steps.Entry{steps.Define(steps.Entry{
	Name: "upload", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
	Summary: "pass files to a file input",
	Doc: "The selector names an `input type=file`, visible or not, its label, an element that contains one, or the button that opens the file dialog, which the step then answers. " +
		"If there is none of these, the files are dropped on the element, with the warning dropped. They replace earlier files; an empty list clears the input.\n\n" +
		"Reads back the names and sizes that the page got, and what the input contains after that. If the page has replaced a file by an empty one of its name, or by one of another size, the step is STEP_FAILED; for a picture or a video that is not empty, it has the warning replaced, because pages compress them.\n\n" +
		"The page may remove files from the input, or receive them by a drop, if it then has them in another input, lists their names, shows pictures of them, or sends them in a request with a body (a text that is much shorter than the file, such as an event or a check of its name, does not count). If the page does none of these with a file within two seconds, it has discarded the file, which is STEP_FAILED. Each of several files counts, even if files of different folders have the same name; the error names those that are missing. An input that is in no document does not show that it contains a file. A list may shorten a name (annual-re…2026.pdf). In a run, what the page lists is checked again at the end. A name counts if beside it there is only what lists usually show (size, type, date, the name of a field before a colon), or a sentence with common words of success: any other sentence may refuse the file, in any language. A picture counts if it is new and made from a file (its address is `blob:`, or `data:` with the file or a picture larger than an icon).\n\n" +
		"A request counts for the files that it names. If requests name no files, there must be as many requests as files. If the page sends something at once, the step waits two seconds for the answer. It is STEP_FAILED if the server refuses everything that may contain a file, or if the page cancels the request, or the request is redirected to a sign-in. After answers such as 401, 429 or 503, the page has two seconds to send the request again. A page that goes to another document without having sent the files has lost them, which is STEP_FAILED, unless it uses a WebSocket.\n\n" +
		"A complaint of the page about the files is STEP_FAILED too:\n\n" +
		"- a new alert that reports no success (even a warning), or an alert of the browser\n" +
		"- error text, red text or an invalid state\n" +
		"- if the input has been emptied, the name of a file in red, or in an entry marked as an error (by its class, or that of an icon in it)\n" +
		"- a sentence with common words of refusal that names a file, or appears when the input has been emptied\n\n" +
		"The step does not wait for later reactions: `components:upload:files` does. The step refuses files that a file dialog would not offer: those that `accept` excludes, several for an input that takes one, a folder for an input that takes files. " +
		"Paths are relative to the current folder, and must be in it or in a folder that the policy allows.",
	Example: "upload: {selector: \"label:Invoice\", files: [invoice.pdf]}",
}, upload)}

func upload(ctx context.Context, env *steps.Env, a *uploadArgs) (r uploadResult, err error) {
	var files []driver.UploadFile
	for _, path := range a.Files {
		f, err := fileToUpload(env.Files, path)
		if err != nil {
			return r, err
		}
		files = append(files, f)
	}
	up, err := env.Page.Upload(ctx, a.Selector, files)
	if err != nil {
		return r, err
	}
	if up.Dropped {
		env.Warn("dropped", "%s has no file input: the files were dropped on it", up.Desc)
	}
	if up.Unheard {
		env.Warn("unchanged", "%s already contained these files: the page got no change event", up.Desc)
	}
	if len(up.Replaced) > 0 {
		env.Warn("replaced", "%s contains a picture with another size than the file: %s", up.Desc, strings.Join(up.Replaced, ", "))
	}
	return uploadResult{Files: up.Files, Count: len(up.Files), Kept: up.Kept}, nil
}

// fileToUpload checks one path, and everything in it if it is a folder.
func fileToUpload(rules steps.Files, said string) (driver.UploadFile, error) {
	if said == "" {
		return driver.UploadFile{}, diag.New(diag.ParamInvalid, "found an empty path in `files`").WithHint("check the param that the path comes from")
	}
	path, err := rules.ReadPath(said)
	if err != nil {
		return driver.UploadFile{}, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return driver.UploadFile{}, diag.New(diag.ParamInvalid, "there is no file %s", said).
			WithDetail("path", path).WithHint("check the path: relative paths start at the current folder")
	case err != nil:
		return driver.UploadFile{}, unreadable(said, err)
	case info.IsDir():
		return driver.UploadFile{Path: path, Folder: true}, checkFolder(rules, path)
	case !info.Mode().IsRegular():
		return driver.UploadFile{}, diag.New(diag.ParamInvalid, "found the special file %s, expected a regular file", said).
			WithHint("pass the path of a regular file or of a folder")
	}
	f, err := os.Open(path)
	if err != nil {
		return driver.UploadFile{}, unreadable(said, err)
	}
	return driver.UploadFile{Path: path, Size: info.Size()}, f.Close()
}

func unreadable(path string, err error) error {
	return diag.New(diag.ParamInvalid, "%s cannot be read: %v", path, err).WithHint("check the permissions of the file").Because(err)
}

// checkFolder returns an error if a folder contains a file that may not be read, or a link to one.
func checkFolder(rules steps.Files, dir string) error {
	n := 0
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return unreadable(path, err)
		}
		if n++; n > maxUpload {
			return diag.New(diag.LimitExceeded, "the folder %s contains too many files, expected at most %d", dir, maxUpload).WithHint("pass a smaller folder")
		}
		_, err = rules.ReadPath(path)
		return err
	})
}
