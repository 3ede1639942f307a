package main

// Flows: lists of operations that every tool executes in the same order. For action they are also
// definitions.

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// flowSizes are the lengths of the flows for which there are definitions.
var flowSizes = []int{2, 6, 11, 21, 30, 41, 61, 91}

func flowAction(steps int) string { return fmt.Sprintf("bench:flow:n%d", steps) }

// flowOps returns a flow of n operations: it opens the form, repeatedly fills and saves it, and
// ends by reading the text on the page.
func flowOps(url string, n int) []Args {
	ops := []Args{{"open", url}}
	for i := 0; len(ops) < n-1; i++ {
		switch round := i / 5; i % 5 {
		case 0:
			ops = append(ops, Args{"fill", "#name", fmt.Sprintf("Ann-%d", round)})
		case 1:
			ops = append(ops, Args{"select", "#plan", []string{"b", "a"}[round%2]})
		case 2:
			ops = append(ops, Args{[]string{"check", "uncheck"}[round%2], "#agree"})
		case 3:
			ops = append(ops, Args{"click", "#save"})
		case 4:
			ops = append(ops, Args{"get", "text", "#said"})
		}
	}
	return append(ops, Args{"get", "text", "#said"})
}

// flowText returns the text on the page at the end of a flow.
func flowText(ops []Args) string {
	name, plan, agree, saves, said := "", "a", false, 0, ""
	for _, op := range ops {
		switch op[0] {
		case "fill":
			name = op[2]
		case "select":
			plan = op[2]
		case "check", "uncheck":
			agree = op[0] == "check"
		case "click":
			saves++
			said = fmt.Sprint(saves, " ", name, " ", plan, " ", agree)
		}
	}
	return said
}

// writeFlows writes a definition file with an action for each of flowSizes.
func writeFlows(file string) error {
	var b strings.Builder
	b.WriteString("namespace: bench\nversion: 1.0.0\ndescription: Flows that are measured\nactions:\n")
	for _, n := range flowSizes {
		fmt.Fprintf(&b, "  flow:n%d:\n    description: %d steps on the form\n    params:\n      url: {type: string, required: true}\n    steps:\n", n, n)
		ops := flowOps("", n)
		for i, op := range ops {
			step, args := stepOf(op)
			fmt.Fprintf(&b, "      - action: %s\n        args:\n", step)
			for _, name := range slices.Sorted(maps.Keys(args)) {
				value := args[name]
				if step == "open" {
					value = "${url}"
				}
				fmt.Fprintf(&b, "          %s: %q\n", name, value)
			}
			if i == len(ops)-1 {
				b.WriteString("        output: said\n")
			}
		}
		b.WriteString("    returns: {text: \"${steps.said.text}\"}\n")
	}
	return os.WriteFile(file, []byte(b.String()), 0o600)
}
