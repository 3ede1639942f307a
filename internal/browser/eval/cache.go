package eval

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Limits of the cache.
const (
	maxPrograms   = 100
	maxRemembered = 16 << 10 // maximum size of a key, in bytes
)

// A Cache maps the text of a script to its program. The zero value is an empty cache. It is safe
// for concurrent use.
type Cache struct {
	once sync.Once
	lru  *lru.Cache[string, Program]
}

func (c *Cache) init() {
	c.once.Do(func() { c.lru, _ = lru.New[string, Program](maxPrograms) }) // fails only for sizes below 1
}

// Get returns the program for a key, and whether Add has stored one.
func (c *Cache) Get(key string) (Program, bool) {
	c.init()
	return c.lru.Get(key)
}

// Add stores a program, unless its key is longer than maxRemembered.
func (c *Cache) Add(key string, p Program) {
	c.init()
	if len(key) <= maxRemembered {
		c.lru.Add(key, p)
	}
}
