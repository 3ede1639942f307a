package main

import (
	"slices"
	"strings"
	"testing"
)

func TestReadAgentServers(t *testing.T) {
	const one = `{"server":"a","tools":7,"tool_tokens":600,"tasks":[{"task":"sign in","done":true,"calls":1,"asked":20,"answered":30,"structured":40}]}`
	const other = `{"server":"b","tools":25,"tool_tokens":4000,"tasks":[{"task":"sign in","done":false,"calls":4,"asked":100,"answered":300,"why":"no button"}]}`
	servers, err := readAgentServers(strings.NewReader(one + "\n" + other + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"task: calls, tokens", "a", "b"},
		{"sign in", "1, 50", "not done: 4, 400"},
		{"**done, calls, tokens**", "1, 1, 50", "0, 4, 400"},
		{"list of tools: tools, tokens", "7, 600", "25, 4000"},
	}
	if got := (&AgentTasks{Servers: servers}).rows(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "bench: a", "no tasks": `{"server":"a"}`, "no server": `{"tasks":[{"task":"sign in"}]}`,
		"other tasks": one + "\n" + strings.Replace(other, `[{`, `[{"task":"create"},{`, 1),
	} {
		if got, err := readAgentServers(strings.NewReader(text)); err == nil {
			t.Errorf("%s: got %v, want an error", name, got)
		}
	}
}
