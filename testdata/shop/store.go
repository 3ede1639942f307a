package shop

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Order is one order as the pages and the JSON requests show it.
type Order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	Product  string `json:"product"`
	Quantity int    `json:"quantity"`
	Express  bool   `json:"express"`
	Date     string `json:"date"` // YYYY-MM-DD, or empty
	Notes    string `json:"notes"`
}

var products = []string{
	"Anvil", "Bellows", "Compass", "Drill press", "Easel", "Filing cabinet",
	"Globe", "Hand mill", "Inkwell", "Kaleidoscope", "Lantern", "Magnifier",
}

// fieldError is input that the shop refuses; Field is the name in Order's JSON.
type fieldError struct {
	Field   string `json:"field"`
	Message string `json:"error"`
}

func (e *fieldError) Error() string { return e.Message }

// store holds the orders and the sessions of one shop.
type store struct {
	mu       sync.Mutex
	orders   []Order // newest first
	next     int
	sessions map[string]string // token to user
}

// newStore returns a store with a few orders, so that the first new one is
// number 1001.
func newStore() *store {
	return &store{
		next:     1001,
		sessions: make(map[string]string),
		orders: []Order{
			{ID: 1000, Customer: "Grace Hopper", Product: "Compass", Quantity: 2, Date: "2026-03-02"},
			{ID: 999, Customer: "Alan Turing", Product: "Lantern", Quantity: 1, Express: true, Date: "2026-02-27"},
			{ID: 998, Customer: "Grace Hopper", Product: "Anvil", Quantity: 12, Notes: "Ring twice"},
		},
	}
}

// signIn starts a session of a user and returns its token.
func (s *store) signIn(user string) string {
	token := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[token] = user
	return token
}

func (s *store) signOut(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, token)
}

// signedIn returns the user of a session, "" for none.
func (s *store) signedIn(token string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[token]
}

// search returns the orders whose number, customer or product contains the
// words, whatever their case; all orders for none.
func (s *store) search(words string) []Order {
	words = strings.ToLower(strings.TrimSpace(words))
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []Order{}
	for _, o := range s.orders {
		text := strings.ToLower(fmt.Sprintf("#%d %s %s", o.ID, o.Customer, o.Product))
		if strings.Contains(text, words) {
			found = append(found, o)
		}
	}
	return found
}

func (s *store) order(id int) (Order, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.indexLocked(id)
	if i < 0 {
		return Order{}, false
	}
	return s.orders[i], true
}

// create checks the order, numbers it and keeps it. What it refuses is a
// *fieldError.
func (s *store) create(o Order) (Order, error) {
	o.Customer = strings.TrimSpace(o.Customer)
	if err := checkOrder(o); err != nil {
		return Order{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.ID = s.next
	s.next++
	s.orders = slices.Insert(s.orders, 0, o)
	return o, nil
}

func (s *store) delete(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.indexLocked(id)
	if i < 0 {
		return false
	}
	s.orders = slices.Delete(s.orders, i, i+1)
	return true
}

func (s *store) indexLocked(id int) int {
	return slices.IndexFunc(s.orders, func(o Order) bool { return o.ID == id })
}

func checkOrder(o Order) error {
	switch {
	case o.Customer == "":
		return &fieldError{"customer", "Enter a customer"}
	case o.Customer == "Nobody":
		return &fieldError{"customer", "Customer Nobody is not known"}
	case o.Product == "":
		return &fieldError{"product", "Choose a product"}
	case !slices.Contains(products, o.Product):
		return &fieldError{"product", fmt.Sprintf("There is no product %q", o.Product)}
	case o.Quantity < 1 || o.Quantity > 99:
		return &fieldError{"quantity", "Quantity must be from 1 to 99"}
	}
	if o.Date == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
		return &fieldError{"date", "Delivery date must be a date"}
	}
	return nil
}
