package trace

// The parts of secrets in addresses. A browser reads an address part by part: what follows "#" is
// not sent, a page reads the parameters of the query one by one, and a server the parts of the
// path. So an address divides a secret that was put into it unescaped, and later only a part of the
// secret may be shown.

import "strings"

// A bounds is an address with the offsets at which its parts end.
type bounds struct {
	address               string
	path, query, fragment int // where the path begins, and the offsets of "?" and "#", or where they would be
}

func boundsOf(address string) bounds {
	b := bounds{address: address, fragment: len(address)}
	if i := strings.IndexByte(address, '#'); i >= 0 {
		b.fragment = i
	}
	b.query = b.fragment
	if i := strings.IndexByte(address[:b.fragment], '?'); i >= 0 {
		b.query = i
	}
	if i := strings.Index(address[:b.query], "://"); i >= 0 {
		b.path = b.query
		if n := strings.IndexAny(address[i+len("://"):b.query], `/\`); n >= 0 {
			b.path = i + len("://") + n
		}
	}
	return b
}

// maxAddress bounds the part of an address that is searched for secrets. Chromium refuses longer
// addresses.
const maxAddress = 2 << 20

// AddAddress makes the parts secret into which an address divides the secrets in it, in the forms
// in which a browser or a page shows them. A part of one byte is masked only where the address has
// it, behind the same name of a parameter. If a secret contains the host of the address, such as a
// base URL, only its parts of at least 12 bytes count, besides the address up to "?" or "#", the
// query and the fragment. AddAddress stops soon after done is closed.
func (m *Masker) AddAddress(address string, done <-chan struct{}) {
	pass := m.Until(done)
	if len(pass.secrets) == 0 {
		return
	}
	b := boundsOf(address[:min(len(address), maxAddress)])
	var found []secret
	for i := range pass.secrets {
		s := &pass.secrets[i]
		if len(s.text) < shortBytes || s.lead != "" {
			continue
		}
		for _, at := range s.all(b.address, pass) {
			found = append(found, b.divide(at[0], at[1])...)
		}
	}
	known := m.Until(done)
	kept := found[:0]
	for _, s := range found {
		if len(kept) < maxParts && known.text(s.text) != s.lead+Mask {
			kept = append(kept, s)
		}
	}
	m.add(kept)
}

// maxParts is the maximum number of secrets that one address adds.
const maxParts = 64

// all returns where s occurs in text.
func (s *secret) all(text string, p *Pass) (found [][2]int) {
	var scratch [2][]int
	for i := 0; i < len(text) && !p.stopped; {
		p.spend(1)
		if end := s.endAt(text, i, &scratch, p); end > i {
			found = append(found, [2]int{i, end})
			i = end
			continue
		}
		i++
	}
	return found
}

// divide returns the parts of the secret at address[from:to].
func (b *bounds) divide(from, to int) (parts []secret) {
	whole := from < b.path
	for _, c := range []struct {
		from, to int
		breaks   string
	}{
		{0, b.query, `/\`},
		{b.query + 1, b.fragment, "&="},
		{b.fragment + 1, len(b.address), "&=/?"},
	} {
		from, to := max(from, c.from), min(to, c.to)
		if from >= to {
			continue
		}
		parts = b.add(parts, from, to, 1)
		least := 1
		if whole {
			least = minLineBytes
		}
		for at := max(from, min(b.path, to)); at < to; {
			end := to
			if n := strings.IndexAny(b.address[at:to], c.breaks); n >= 0 {
				end = at + n
			}
			parts = b.add(parts, at, end, least)
			at = end + 1
		}
	}
	return parts
}

// add appends address[from:to] to parts, in each of its forms, if it has at least that many bytes.
// A part without letters and digits, such as the second of "key=", is no secret.
func (b *bounds) add(parts []secret, from, to, least int) []secret {
	for _, form := range b.forms(from, to) {
		switch {
		case len(form) < least || !strings.ContainsFunc(form, wordRune):
		case len(form) > 1: // a short one is masked as a separate word
			parts = append(parts, newSecret(form))
		case from >= b.path:
			lead := max(strings.LastIndexAny(b.address[:from], "/?&#"), 0)
			parts = append(parts, newLedSecret(b.address[lead:from], form))
		}
	}
	return parts
}

// forms returns a part of the address as it is written, as a browser shows it, and decoded.
func (b *bounds) forms(from, to int) []string {
	text := b.address[from:to]
	shown := text
	if to <= b.query {
		host := min(max(b.path-from, 0), len(text))
		shown = strings.ReplaceAll(strings.ToLower(text[:host])+text[host:], `\`, "/")
	}
	forms := []string{text}
	for _, form := range []string{shown, decoded(shown)} {
		if form != forms[len(forms)-1] {
			forms = append(forms, form)
		}
	}
	return forms
}

// decoded decodes each percent-encoded byte of text, and leaves invalid escapes as they are.
func decoded(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		if c, next := percentByte(text, i, 0); next > i {
			out.WriteByte(c)
			i = next
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return strings.ToValidUTF8(out.String(), "\ufffd")
}
