package main

// Ten tasks over the Model Context Protocol: how many calls and tokens they take with the
// servers of action, agent-browser and Playwright. peers/agents.mjs has the calls.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// partAgents is the only part that is written to results.json on its own: counts of calls and
// tokens depend neither on the machine nor on the other parts.
const partAgents = "agents"

// AgentTasks holds the figures of the ten tasks.
type AgentTasks struct {
	Taken    string            `json:"taken"` // day of the measurement
	Versions map[string]string `json:"versions"`
	Servers  []AgentServer     `json:"servers"`
}

// An AgentServer is one server, or one way to use it, with the tokens of its list of tools.
type AgentServer struct {
	Server     string      `json:"server"`
	Tools      int         `json:"tools"`
	ToolTokens int         `json:"tool_tokens"`
	Tasks      []AgentTask `json:"tasks"`
}

// An AgentTask is one task with one server. Asked, Answered and Structured are tokens: those of
// the calls, those of the texts of the answers, and those of the answers if their structured
// content stands for the text. Refused counts the answers that are errors.
type AgentTask struct {
	Task       string `json:"task"`
	Done       bool   `json:"done"`
	Calls      int    `json:"calls"`
	Asked      int    `json:"asked"`
	Answered   int    `json:"answered"`
	Structured int    `json:"structured"`
	Refused    int    `json:"refused"`
	Why        string `json:"why,omitempty"` // what happened, if not done
}

// agentConfig is the argument of agents.mjs.
type agentConfig struct {
	Shop      string        `json:"shop"`
	Libraries string        `json:"libraries"`
	Servers   []agentServer `json:"servers"`
}

// An agentServer says how a server is started, and which sequences of calls are for it.
type agentServer struct {
	Name    string            `json:"name"`
	Lane    string            `json:"lane"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Dir     string            `json:"dir"`
}

// takeAgents runs the ten tasks with every server, one server after the other.
func takeAgents(ctx context.Context, b *bed, r *Results) error {
	base, stop, err := serveLibraries(ctx, b)
	if err != nil {
		return err
	}
	defer stop()
	c := agentConfig{Shop: filepath.Join(b.dir, "shop"), Libraries: base}
	if err := b.build(ctx, c.Shop, "./testdata/shop/serve"); err != nil {
		return err
	}
	if c.Servers, err = agentServers(b); err != nil {
		return err
	}
	argument, err := json.Marshal(c)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.node, filepath.Join(b.peers(), "agents.mjs"), string(argument))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("agents.mjs: %w", err)
	}
	a := &AgentTasks{Taken: time.Now().UTC().Format(time.DateOnly), Versions: map[string]string{}}
	for _, name := range []string{actionName, agentName, "headless shell"} {
		a.Versions[name] = r.Versions[name]
	}
	if a.Versions["@playwright/mcp"], err = packageVersion(b.peers(), "@playwright", "mcp"); err != nil {
		return err
	}
	if a.Servers, err = readAgentServers(bytes.NewReader(out)); err != nil {
		return fmt.Errorf("agents.mjs: %w", err)
	}
	r.Agents = a
	return nil
}

// agentServers returns the servers, each with a folder of its own. Playwright's server needs no
// sandbox where the user is root, and agent-browser's neither; action finds that out.
func agentServers(b *bed) ([]agentServer, error) {
	var servers []agentServer
	for _, s := range []struct{ name, lane string }{
		{"action, known task", "action"}, {"action, new task", "action, unknown"}, {agentName, agentName}, {playwrightName + " MCP", "playwright"},
	} {
		dir, err := b.folder()
		if err != nil {
			return nil, err
		}
		server := agentServer{Name: s.name, Lane: s.lane, Dir: dir, Env: map[string]string{"HOME": dir}}
		var list []string
		switch s.lane {
		case agentName:
			t, err := newAgent(b.agent, dir, b.shell)
			if err != nil {
				return nil, err
			}
			server.Command, server.Args = b.agent, []string{"mcp"}
			list = append(t.environ, t.launch...)
		case "playwright":
			server.Command = b.node
			server.Args = []string{filepath.Join(b.peers(), "node_modules", "@playwright", "mcp", "cli.js"),
				"--headless", "--no-sandbox", "--isolated", "--executable-path", b.shell}
			list = environ("HOME=" + dir)
		default:
			t, err := newAction(b.binary, dir, b.shell, "")
			if err != nil {
				return nil, err
			}
			actions, err := filepath.Abs(b.path("testdata", "shop", "actions"))
			if err != nil {
				return nil, err
			}
			server.Command, server.Args = b.binary, []string{"mcp"}
			list = append(t.environ, "ACTION_PATH="+actions, "SHOP_PASSWORD=lovelace")
		}
		for _, variable := range list {
			name, value, _ := strings.Cut(variable, "=")
			server.Env[name] = value
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// readAgentServers reads what agents.mjs prints: a line of JSON for each server, all with the
// same tasks.
func readAgentServers(in io.Reader) ([]AgentServer, error) {
	var servers []AgentServer
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s AgentServer
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(servers)+1, err)
		}
		if s.Server == "" || len(s.Tasks) == 0 {
			return nil, fmt.Errorf("line %d: found no server or no tasks", len(servers)+1)
		}
		if len(servers) > 0 && len(s.Tasks) != len(servers[0].Tasks) {
			return nil, fmt.Errorf("line %d: found %d tasks, expected %d as in line 1", len(servers)+1, len(s.Tasks), len(servers[0].Tasks))
		}
		servers = append(servers, s)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("found no server")
	}
	return servers, nil
}

// rows returns the lines of the table, the head first: calls and tokens of each task and server.
func (a *AgentTasks) rows() [][]string {
	head, sum, list := []string{"task: calls, tokens"}, []string{"**done, calls, tokens**"}, []string{"list of tools: tools, tokens"}
	rows := make([][]string, len(a.Servers[0].Tasks))
	for i, task := range a.Servers[0].Tasks {
		rows[i] = []string{task.Task}
	}
	for _, s := range a.Servers {
		done, calls, tokens := 0, 0, 0
		for i, task := range s.Tasks {
			cell := fmt.Sprintf("%d, %d", task.Calls, task.Asked+task.Answered)
			if task.Done {
				done++
			} else {
				cell = "not done: " + cell
			}
			rows[i] = append(rows[i], cell)
			calls, tokens = calls+task.Calls, tokens+task.Asked+task.Answered
		}
		head = append(head, s.Server)
		sum = append(sum, fmt.Sprintf("%d, %d, %d", done, calls, tokens))
		list = append(list, strconv.Itoa(s.Tools)+", "+strconv.Itoa(s.ToolTokens))
	}
	return append(append([][]string{head}, rows...), sum, list)
}

// about returns the line above the table.
func (a *AgentTasks) about() string {
	return fmt.Sprintf("Ten tasks over MCP, %s; %s", a.Taken, versionList(a.Versions))
}

// only replaces the ten tasks in the results of earlier parts and writes them in every form.
func (a *AgentTasks) only(c *config, out io.Writer) error {
	path := c.path("bench", "results.json")
	r, err := readResults(path)
	if err != nil {
		return err
	}
	r.Agents = a
	if err := r.write(path); err != nil {
		return err
	}
	return publish(c, r, out)
}
