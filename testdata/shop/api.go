package shop

// The JSON requests that the pages make. All of them answer slowly.

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

const maxBodyBytes = 64 << 10

// api guards a request with the session and makes it slow.
func (s *server) api(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.hasSession(r) {
			reply(w, http.StatusUnauthorized, fieldError{Message: "Sign in first"})
			return
		}
		if s.pause(r) {
			next(w, r)
		}
	})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the reader has gone: nobody to tell
}

func (s *server) listProducts(w http.ResponseWriter, r *http.Request) {
	words := strings.ToLower(r.URL.Query().Get("q"))
	found := []string{}
	for _, p := range products {
		if strings.Contains(strings.ToLower(p), words) {
			found = append(found, p)
		}
	}
	reply(w, http.StatusOK, found)
}

func (s *server) listOrders(w http.ResponseWriter, r *http.Request) {
	reply(w, http.StatusOK, s.store.search(r.URL.Query().Get("q")))
}

func (s *server) createOrder(w http.ResponseWriter, r *http.Request) {
	var o Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBodyBytes)).Decode(&o); err != nil {
		reply(w, http.StatusBadRequest, fieldError{Message: "The order is not readable"})
		return
	}
	o, err := s.store.create(o)
	var refused *fieldError
	switch {
	case errors.As(err, &refused):
		reply(w, http.StatusUnprocessableEntity, refused)
	case err != nil:
		reply(w, http.StatusInternalServerError, fieldError{Message: err.Error()})
	default:
		reply(w, http.StatusCreated, o)
	}
}

func (s *server) deleteOrder(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || !s.store.delete(id) {
		reply(w, http.StatusNotFound, fieldError{Message: "There is no such order"})
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
