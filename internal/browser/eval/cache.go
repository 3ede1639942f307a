package eval

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Scripts with a remembered interpretation: it depends only on their text.
const (
	maxPrograms   = 100
	maxRemembered = 16 << 10 // bytes of one
)

// A Cache remembers the interpretations of scripts by their text. The zero value remembers none
// so far. It may be used by several goroutines.
type Cache struct {
	once sync.Once
	lru  *lru.Cache[string, Program]
}

func (c *Cache) init() {
	c.once.Do(func() { c.lru, _ = lru.New[string, Program](maxPrograms) }) // fails for sizes below 1 only
}

// Get returns what Add was given for a key.
func (c *Cache) Get(key string) (Program, bool) {
	c.init()
	return c.lru.Get(key)
}

// Add remembers a program, unless its key is long.
func (c *Cache) Add(key string, p Program) {
	c.init()
	if len(key) <= maxRemembered {
		c.lru.Add(key, p)
	}
}
