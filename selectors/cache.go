package selectors

// The cache of the candidates that won.

import (
	lru "github.com/hashicorp/golang-lru/v2"
)

const cacheEntries = 1000

// A Key identifies an alias in a document. Document is the ID of a driver.Document.
type Key struct{ Session, Namespace, Action, Alias, Document string }

// A Cache records which candidate of an alias matched last, for the 1,000 aliases used most
// recently. It is safe for concurrent use. Create one with [NewCache].
type Cache struct {
	winners *lru.Cache[Key, int]
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	winners, err := lru.New[Key, int](cacheEntries)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Cache{winners: winners}
}

// Get returns the index of the candidate that matched last. ok is false if it is unknown.
func (c *Cache) Get(k Key) (index int, ok bool) { return c.winners.Get(k) }

// Put records the candidate that matched.
func (c *Cache) Put(k Key, index int) { c.winners.Add(k, index) }

// Remove forgets the candidate of an alias.
func (c *Cache) Remove(k Key) { c.winners.Remove(k) }

// Drop forgets the candidates of a document.
func (c *Cache) Drop(document string) {
	for _, k := range c.winners.Keys() {
		if k.Document == document {
			c.winners.Remove(k)
		}
	}
}

// Clear forgets everything.
func (c *Cache) Clear() { c.winners.Purge() }
