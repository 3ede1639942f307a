package loader

import (
	"crypto/sha256"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/actionregistry/action/spec"
)

// maxCached bounds how many files a Cache keeps.
const maxCached = 1024

// A Cache keeps parsed files, so that an unchanged file is not parsed again. It keeps no files with
// errors. A nil Cache keeps nothing. A Cache is safe for concurrent use.
type Cache struct {
	files *lru.Cache[cached, *spec.File]
}

// cached is the key of a file in the Cache.
type cached struct {
	name   string
	source spec.Source
	sum    [sha256.Size]byte
}

// NewCache returns an empty Cache.
func NewCache() *Cache {
	files, err := lru.New[cached, *spec.File](maxCached)
	if err != nil {
		panic(err) // happens only for a size below 1
	}
	return &Cache{files}
}

func (c *Cache) get(k cached) *spec.File {
	if c == nil {
		return nil
	}
	f, _ := c.files.Get(k)
	return f
}

func (c *Cache) add(k cached, f *spec.File) {
	if c != nil {
		c.files.Add(k, f)
	}
}
