// Package uploads knows the files that a page is given: their media types, whether an input accepts
// them, and which of them the page sends. It observes requests through package network, and reads
// their bodies from the browser. It does not act on the page.
package uploads

import (
	"mime"
	"path/filepath"
	"slices"
	"strings"
)

// IsDrawn reports whether a file name is that of a picture or a video.
func IsDrawn(name string) bool {
	return slices.ContainsFunc(TypesOf(name), func(kind string) bool {
		return strings.HasPrefix(kind, "image/") || strings.HasPrefix(kind, "video/")
	})
}

// Accepts reports whether a file input with this accept attribute offers the file with this name.
// It returns true for a file of unknown type.
func Accepts(accept, name string) bool {
	ending, types := filepath.Ext(name), TypesOf(name)
	said := false
	for _, one := range strings.Split(accept, ",") {
		one = strings.ToLower(strings.TrimSpace(one))
		kind, sub, isType := strings.Cut(one, "/")
		switch {
		case strings.HasPrefix(one, "."):
			said = true
			if strings.HasSuffix(strings.ToLower(name), one) {
				return true
			}
		case !isType:
			continue
		case one == "*/*", ending != "" && len(types) == 0:
			return true
		case slices.ContainsFunc(types, func(t string) bool { return t == one || sub == "*" && strings.HasPrefix(t, kind+"/") }):
			return true
		default:
			said = true
		}
	}
	return !said
}

// TypesOf returns the media types that pages use for a file with this name. It returns nil if no
// type is known.
func TypesOf(name string) []string {
	ending := strings.ToLower(filepath.Ext(name))
	if types, ok := mediaTypes[ending]; ok {
		return types
	}
	one, _, _ := strings.Cut(mime.TypeByExtension(ending), ";")
	if one == "" {
		return nil
	}
	return []string{one}
}

// mediaTypes maps extensions to media types. The types that package mime returns depend on the
// machine.
var mediaTypes = map[string][]string{
	".bmp":  {"image/bmp", "image/x-ms-bmp"},
	".csv":  {"text/csv", "text/comma-separated-values", "application/csv", "application/vnd.ms-excel"},
	".doc":  {"application/msword"},
	".docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	".gif":  {"image/gif"},
	".gz":   {"application/gzip", "application/x-gzip"},
	".htm":  {"text/html"},
	".html": {"text/html"},
	".jpeg": {"image/jpeg", "image/jpg", "image/pjpeg"},
	".jpg":  {"image/jpeg", "image/jpg", "image/pjpeg"},
	".js":   {"text/javascript", "application/javascript", "application/x-javascript"},
	".json": {"application/json", "text/json"},
	".md":   {"text/markdown", "text/x-markdown"},
	".mov":  {"video/quicktime"},
	".mp3":  {"audio/mpeg", "audio/mp3"},
	".mp4":  {"video/mp4"},
	".pdf":  {"application/pdf"},
	".png":  {"image/png"},
	".ppt":  {"application/vnd.ms-powerpoint"},
	".pptx": {"application/vnd.openxmlformats-officedocument.presentationml.presentation"},
	".rtf":  {"application/rtf", "text/rtf"},
	".svg":  {"image/svg+xml"},
	".tar":  {"application/x-tar"},
	".txt":  {"text/plain"},
	".wav":  {"audio/wav", "audio/x-wav", "audio/wave"},
	".webm": {"video/webm", "audio/webm"},
	".webp": {"image/webp"},
	".xls":  {"application/vnd.ms-excel"},
	".xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	".xml":  {"text/xml", "application/xml"},
	".yaml": {"application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"},
	".yml":  {"application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"},
	".zip":  {"application/zip", "application/x-zip-compressed", "application/x-zip"},
}
