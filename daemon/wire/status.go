package wire

import (
	"actionregistry/diag"
	"actionregistry/session"
)

// A Status is the data of status.
type Status struct {
	Hello
	Socket      string         `json:"socket"`
	UptimeMS    int64          `json:"uptime_ms"`
	Connections int            `json:"connections"`
	Requests    int            `json:"requests"`   // under way, this one not counted
	HeldBytes   int            `json:"held_bytes"` // what they take up, and long lines that are being read
	Sessions    []session.Info `json:"sessions"`
	Problems    diag.List      `json:"problems"` // of all definition files in use
	Memory      Memory         `json:"memory"`
	Goroutines  int            `json:"goroutines"`
}

// Memory is what the daemon itself uses; its browsers come on top.
type Memory struct {
	HeapBytes  uint64 `json:"heap_bytes"`  // live objects, and those not collected yet
	TotalBytes uint64 `json:"total_bytes"` // taken from the system
}
