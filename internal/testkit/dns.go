package testkit

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
)

// A Zone maps names to the answers of a DNS server. The first query for a name gets the first list,
// the second query gets the second list, and so on. When the lists run out, the server repeats the
// last list. Queries for A and for AAAA records are counted separately. An entry of a list is an IP
// address, or another name: the answer then contains a CNAME record and the records of that name.
// The key "*.example.test" matches every name one level below example.test.
type Zone map[string][][]string

// DNS starts a DNS server on loopback. It returns a resolver that queries only this server, and a
// function that stops the server. All records have a time to live of 0.
func (z Zone) DNS() (*net.Resolver, func()) {
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &zoneServer{zone: z, asked: make(map[string]int)}
	var running sync.WaitGroup
	running.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := s.answer(buf[:n]); answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	})
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
	return resolver, func() { _ = conn.Close(); running.Wait() }
}

type zoneServer struct {
	zone  Zone
	asked map[string]int // by name and type
}

func (s *zoneServer) answer(packet []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(packet) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	out := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RecursionAvailable: true}, Questions: m.Questions}
	if !s.add(&out, q.Name.String(), q.Type, 0) {
		out.RCode = dnsmessage.RCodeNameError
	}
	packed, err := out.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// add adds the records of a name, and reports whether the name exists.
func (s *zoneServer) add(out *dnsmessage.Message, name string, kind dnsmessage.Type, depth int) bool {
	lists := s.zone[strings.ToLower(strings.TrimSuffix(name, "."))]
	if lists == nil {
		if _, below, ok := strings.Cut(strings.ToLower(strings.TrimSuffix(name, ".")), "."); ok {
			lists = s.zone["*."+below]
		}
	}
	if lists == nil || depth > 8 {
		return false
	}
	key := name + " " + kind.String()
	list := lists[min(s.asked[key], len(lists)-1)]
	s.asked[key]++
	owner := dnsmessage.MustNewName(name)
	head := func(t dnsmessage.Type) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: owner, Type: t, Class: dnsmessage.ClassINET}
	}
	for _, entry := range list {
		a, err := netip.ParseAddr(entry)
		switch {
		case err != nil:
			target := strings.TrimSuffix(entry, ".") + "."
			out.Answers = append(out.Answers, dnsmessage.Resource{Header: head(dnsmessage.TypeCNAME), Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(target)}})
			s.add(out, target, kind, depth+1)
		case a.Is4() && kind == dnsmessage.TypeA:
			out.Answers = append(out.Answers, dnsmessage.Resource{Header: head(kind), Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && kind == dnsmessage.TypeAAAA:
			out.Answers = append(out.Answers, dnsmessage.Resource{Header: head(kind), Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return true
}
