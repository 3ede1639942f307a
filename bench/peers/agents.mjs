// Ten tasks over MCP. The argument is JSON: {"shop": program of the demo shop, "libraries": address
// of the applications, "servers": [{name, lane, command, args, env, dir}], "only": pattern of the
// tasks' names, "trace": true}. Prints one line of JSON for each server. What it checks is the
// state of the page and the data of the shop; the words of a tool count only where a task is to
// read something.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Server, Task, tokens } from './agents-client.mjs';
import { lanes, tasks } from './agents-tasks.mjs';

// startShop starts a shop of its own, so that no server finds the orders of another.
async function startShop(program) {
  const shop = spawn(program, ['-until-eof'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise((resolve) => createInterface({ input: shop.stdout }).once('line', resolve));
  const base = line.replace('listening on ', '');
  const signed = await fetch(`${base}/login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ user: 'ada', password: 'lovelace' }) });
  const cookie = signed.headers.get('set-cookie').split(';')[0];
  const orders = async () => (await fetch(`${base}/api/orders?slow=0`, { headers: { cookie } })).json();
  return { base, orders, stop: () => shop.stdin.end() };
}

// holds waits up to two seconds until the task is done.
async function holds(task, done) {
  for (let i = 0; ; i++) {
    const ok = await task.done(done);
    if (ok || i === 10) return ok;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function take(config, s) {
  const lane = lanes[s.lane];
  const shop = await startShop(config.shop);
  const server = new Server({ ...s, env: { ...s.env, BASE_URL: shop.base } });
  const results = [];
  try {
    const tools = await server.open();
    for (const task of tasks) {
      if (config.only && !new RegExp(config.only).test(task.name)) continue;
      const t = new Task(server, config.trace ? (text) => console.error(text) : undefined);
      const url = task.page === 'shop' ? shop.base : `${config.libraries}/antd5`;
      let why = '';
      try {
        await lane[task.key](t, url);
      } catch (error) {
        why = error.message;
      }
      const page = async (script) => JSON.parse(await lane.evaluate(new Task(server), script));
      let done = false;
      try {
        done = await holds(task, { answers: t.answers, orders: shop.orders, page });
      } catch (error) {
        why ||= error.message;
      }
      results.push({ task: task.name, done, calls: t.calls, asked: t.asked, answered: t.answered, structured: t.structured, refused: t.refused, why: why || (done ? '' : 'the page is not as the task wants it') });
      console.error(`bench: ${s.name}: ${task.name}: ${done ? 'done' : 'not done'}, ${t.calls} calls, ${t.asked} + ${t.answered} tokens${why && `: ${why}`}`);
    }
    await lane.end(new Task(server));
    console.log(JSON.stringify({ server: s.name, tools: tools.length, tool_tokens: tokens(tools), tasks: results }));
  } finally {
    await server.close();
    shop.stop();
  }
}

// checkPage fails if the page of the library lacks one of its scripts: it would be blank.
async function checkPage(url) {
  const html = await (await fetch(url)).text();
  for (const [, src] of html.matchAll(/<script src="([^"]+)"/g)) {
    const answer = await fetch(new URL(src, url));
    if (!answer.ok) throw new Error(`${url}: ${src} answers with ${answer.status}: is testdata/npm installed?`);
  }
}

const config = JSON.parse(process.argv[2]);
await checkPage(`${config.libraries}/antd5`);
for (const s of config.servers) await take(config, s);
