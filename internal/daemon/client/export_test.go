package client

import "time"

// SetPatience sets after which silence the daemon is greeted, and for how long it
// may not answer then.
func (c *Client) SetPatience(ping, alive time.Duration) {
	c.greet = func(time.Time) time.Duration { return ping }
	c.answer = func(time.Time) time.Duration { return alive }
}
