// A client of the Model Context Protocol that counts what a model would send and read: the calls,
// and their tokens in o200k. It has no model, and no part of the protocol but tools.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

export const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

// MostCalls is how many calls a task may take.
const mostCalls = 40;

// A Refused is an answer that says that the tool has failed.
export class Refused extends Error {}

export class Server {
  constructor({ command, args, env, dir }) {
    this.process = spawn(command, args, { env, cwd: dir, stdio: ['pipe', 'pipe', 'ignore'] });
    this.waiting = new Map();
    this.last = 0;
    const fail = (error) => { for (const { reject } of this.waiting.values()) reject(error); this.waiting.clear(); };
    this.process.on('error', fail);
    this.ended = new Promise((resolve) => this.process.on('exit', () => { fail(new Error(`${command} has ended`)); resolve(); }));
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      const one = this.waiting.get(message.id);
      if (!one || message.method) return; // a notification
      this.waiting.delete(message.id);
      if (message.error) one.reject(new Refused(message.error.message));
      else one.resolve(message.result);
    });
  }

  ask(method, params) {
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.last, { resolve, reject });
      this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.last, method, params })}\n`);
    });
  }

  // open begins the session and returns all tools.
  async open() {
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    this.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const tools = [];
    let cursor;
    do {
      const page = await this.ask('tools/list', cursor ? { cursor } : {});
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return tools;
  }

  async close() {
    this.process.stdin.end();
    const late = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await this.ended;
    clearTimeout(late);
  }
}

// textOf returns the text of an answer.
const textOf = (answer) => answer.content.map((part) => part.text ?? '').join('\n');

// A Task counts the calls of one task. asked and answered are tokens; structured is answered
// with the structured content of an answer in place of its text, as some clients show it.
export class Task {
  constructor(server, trace) {
    Object.assign(this, { server, trace, calls: 0, asked: 0, answered: 0, structured: 0, refused: 0, answers: '' });
  }

  // try calls a tool and returns {text, failed}.
  async try(name, args = {}) {
    if (this.calls === mostCalls) throw new Error(`not done in ${mostCalls} calls`);
    this.calls++;
    this.asked += tokens({ name, arguments: args });
    const answer = await this.server.ask('tools/call', { name, arguments: args });
    const text = textOf(answer);
    this.answered += tokens(text);
    this.structured += tokens(answer.structuredContent ?? text);
    this.answers += `${text}\n`;
    if (answer.isError) this.refused++;
    this.trace?.(`>>> ${name} ${JSON.stringify(args)}\n${answer.isError ? 'ERROR ' : ''}${text}`);
    return { text, failed: Boolean(answer.isError) };
  }

  // call calls a tool and returns the text of its answer; a failure ends the task.
  async call(name, args) {
    const { text, failed } = await this.try(name, args);
    if (failed) throw new Refused(text.split('\n').find((line) => /\w{4}/.test(line) && !line.startsWith('###')) ?? text);
    return text;
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// ref returns the ref of the first element of that role and name in a snapshot, as all the
// servers write it: role "name" [… ref=e1]; an icon before or behind the name is a space there.
// after is a text behind which the element stands.
export function ref(snapshot, role, name, after = '') {
  const from = snapshot.indexOf(after);
  const found = new RegExp(`(?:^|[\\s'])${escaped(role)}${name === undefined ? '' : ` "\\s*${escaped(name)}\\s*"`}[^\\n"]*?\\bref=(\\w+)`, 'm').exec(snapshot.slice(Math.max(from, 0)));
  if (from < 0 || !found) throw new Error(`the answer shows no ${role} "${name ?? ''}"${after && ` after ${after}`}`);
  return found[1];
}
