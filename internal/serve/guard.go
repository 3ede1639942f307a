package serve

// The checks of every request before its handler runs: host, origin, path and token.

import (
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
)

// checkHost rejects requests whose header Host names another server. This prevents DNS rebinding: a
// hostile page lets its own host name resolve to the address of this server. IP addresses are
// allowed.
func (s *Server) checkHost(host string) *failure {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" || slices.ContainsFunc(s.o.Hosts, func(h string) bool { return strings.EqualFold(h, name) }) {
		return nil
	}
	return fail(http.StatusForbidden, diag.SecurityError, "found a request for the name of another host, expected localhost or an IP address").
		hint("start the server with `--host NAME`, with the name under which you reach it")
}

// checkOrigin rejects requests from pages of other origins, unless Options.Origins contains the
// origin. An origin from that list is returned, for the CORS headers of the answer.
func (s *Server) checkOrigin(r *http.Request) (allowed string, f *failure) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			if r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" {
				return "", nil // a link to the start page
			}
			return "", foreign()
		}
		return "", nil
	}
	if slices.Contains(s.o.Origins, origin) {
		return origin, nil
	}
	if origin == "http://"+r.Host || origin == "https://"+r.Host {
		return "", nil
	}
	return "", foreign()
}

func foreign() *failure {
	return fail(http.StatusForbidden, diag.SecurityError, "found a request of a page of another origin").
		hint("if you trust that origin, start the server with `--origin ORIGIN`")
}

// checkPath rejects paths that are not clean, such as those with "..".
func checkPath(p string) *failure {
	if p != path.Clean("/"+p) || strings.ContainsAny(p, "\x00\\") {
		return notFound()
	}
	return nil
}

func notFound() *failure {
	return fail(http.StatusNotFound, diag.InvalidRequest, "found an unknown path").hint("see /openapi.json for the paths")
}

// authorize checks the token of a request and returns its name. It fails if there is no valid
// token, or if the token does not have the scope "need".
func (s *Server) authorize(r *http.Request, need ops.Scope) (token string, f *failure) {
	kind, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	name, scope, ok := "", ops.Scope(""), false
	if strings.EqualFold(kind, "Bearer") && text != "" {
		name, scope, ok = s.o.Tokens.check(text)
	}
	if !ok {
		f := fail(http.StatusUnauthorized, diag.SecurityError, "found no valid token, expected the header Authorization: Bearer TOKEN").
			hint("print the token with: action serve token")
		f.header = http.Header{"Www-Authenticate": {`Bearer realm="action"`}}
		return "", f
	}
	if !scope.Allows(need) {
		return "", fail(http.StatusForbidden, diag.SecurityError, "found a token of scope %s, expected scope %s", scope, need).
			hint("make another token with: action serve token --name NAME --scope %s", need)
	}
	return name, nil
}

// setHeaders sets the headers of every answer.
func setHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// preflight answers a CORS preflight request. Its origin has been checked before.
func preflight(w http.ResponseWriter) {
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Prefer, Last-Event-ID")
	w.Header().Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
