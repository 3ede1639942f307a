package main

// Statistics of samples.

import (
	"math"
	"slices"
	"time"
)

// A Cell holds the figures of one tool for one case.
type Cell struct {
	Count  int     `json:"count"`
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// newCell returns the statistics of samples, which it sorts.
func newCell(samples []float64) Cell {
	if len(samples) == 0 {
		return Cell{}
	}
	slices.Sort(samples)
	return Cell{
		Count:  len(samples),
		Median: rounded(quantile(samples, 0.5)),
		P90:    rounded(quantile(samples, 0.9)),
		Min:    rounded(samples[0]),
		Max:    rounded(samples[len(samples)-1]),
	}
}

// quantile interpolates between the two nearest of the sorted samples.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(math.Floor(at))
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// rounded returns a number with four significant digits; more would be noise.
func rounded(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
