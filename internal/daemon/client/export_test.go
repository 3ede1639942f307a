package client

import "time"

// SetPatience sets how long the daemon may be silent before the client greets it, and how long it
// may take to answer the greeting.
func (c *Client) SetPatience(ping, alive time.Duration) {
	c.greet = func(time.Time) time.Duration { return ping }
	c.answer = func(time.Time) time.Duration { return alive }
}
