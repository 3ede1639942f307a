package main

import (
	"reflect"
	"sync"

	"github.com/alecthomas/kong"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
)

// A parser is the grammar of a command line and the library's model of it, which
// takes longer to make than many a step to be done.
type parser struct {
	*kong.Kong
	target  reflect.Value // the struct that is parsed into
	flags   *globals      // in target
	entries []*steps.Entry
	hand    map[string]*handCommand // of entries, by name
	word    string                  // the command, where the grammar has no other; else ""
}

// newParser makes the parser of a command line.
func newParser(args []string) (*parser, error) {
	target, flags, entries := grammarFor(args)
	p := &parser{target: reflect.ValueOf(target).Elem(), flags: flags, entries: entries}
	if _, all := target.(*grammar); !all {
		p.word = wire.FirstWord(args)
	}
	var options []kong.Option
	options, p.hand = handCommands(entries)
	var err error
	p.Kong, err = newKong("action", target, append(options,
		kong.Description("Run web actions by name, the same way every time, on a real Chromium."))...)
	return p, err
}

// newKong makes the library's model of a grammar.
func newKong(name string, target any, options ...kong.Option) (*kong.Kong, error) {
	k, err := kong.New(target, append([]kong.Option{
		kong.Name(name), kong.Exit(func(int) { panic(helpShown{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	}, options...)...)
	if err != nil {
		return nil, diag.New(diag.Internal, "%v", err).WithHint("this is a fault of action: please report it").Because(err)
	}
	return k, nil
}

// clear makes p as if it were new. Nothing of what was typed is kept. The library
// empties what it parses into too, but leaves in its model that a flag was given, and
// goes by that for those that must be.
func (p *parser) clear() error {
	p.target.SetZero()
	for _, c := range p.hand {
		c.value.Elem().SetZero()
	}
	return kong.Visit(p.Model.Node, func(v kong.Visitable, next kong.Next) error {
		switch v := v.(type) {
		case *kong.Node:
			v.Active = false
		case *kong.Flag:
			v.Negated = false
		case *kong.Value:
			v.Set, v.Active = false, false
		}
		return next(nil)
	})
}

// mostParsers is how many parsers are kept: about 50 KB each.
const mostParsers = 16

// parsers keeps one parser of each command that was used lately, for the next
// command line. It is safe for concurrent use; nil keeps none.
type parsers struct {
	mu   sync.Mutex
	idle *lru.Cache[string, *parser] // by word
}

func newParsers() *parsers {
	idle, err := lru.New[string, *parser](mostParsers)
	if err != nil {
		panic(err) // the size is ours
	}
	return &parsers{idle: idle}
}

// take returns a parser for a command line, which is the caller's until it is put
// back.
func (ps *parsers) take(args []string) (*parser, error) {
	if p := ps.kept(wire.FirstWord(args)); p != nil {
		return p, nil
	}
	return newParser(args)
}

// kept takes the parser of a command out, or nil.
func (ps *parsers) kept(word string) *parser {
	if ps == nil {
		return nil
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p, _ := ps.idle.Get(word)
	ps.idle.Remove(word)
	return p
}

// put keeps a parser that is no longer needed.
func (ps *parsers) put(p *parser) {
	if ps == nil || p.word == "" || p.clear() != nil {
		return
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.idle.Add(p.word, p)
}
