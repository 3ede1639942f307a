package main

// The plots of the curves, as SVG.

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colours holds line colours that colour-blind readers can distinguish too (Okabe, Ito).
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xB2, 0xFF}, color.RGBA{0xD5, 0x5E, 0x00, 0xFF},
	color.RGBA{0x00, 0x9E, 0x73, 0xFF}, color.RGBA{0x66, 0x66, 0x66, 0xFF},
}

func drawAll(r *Results, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, c := range r.Curves {
		if err := c.draw(filepath.Join(dir, c.File+".svg")); err != nil {
			return fmt.Errorf("plot %s: %w", c.File, err)
		}
	}
	return nil
}

func (c *Curve) draw(path string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.BackgroundColor = color.White
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(3)
	p.Add(plotter.NewGrid())
	if c.Log {
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	} else {
		p.X.Min, p.Y.Min = 0, 0
	}
	for i, l := range c.Lines {
		points := make(plotter.XYs, len(l.Points))
		for j, at := range l.Points {
			points[j] = plotter.XY{X: at.X, Y: at.Y}
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, marks.Color = colours[i%len(colours)], colours[i%len(colours)]
		line.Width = vg.Points(1.5)
		marks.Shape = draw.CircleGlyph{}
		p.Add(line, marks)
		p.Legend.Add(l.Name, line, marks)
	}
	return p.Save(6*vg.Inch, 4*vg.Inch, path)
}
