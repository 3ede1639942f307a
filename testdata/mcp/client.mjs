// A client of another language: it starts the server that its arguments name, calls the tools that
// the standard input lists as JSON lines {"name", "arguments"}, and prints each result as a line.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "client.mjs", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
const { tools } = await client.listTools(); // with it, the client checks structured content by its schema
console.log(JSON.stringify(tools.map((t) => t.name)));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await client.callTool(JSON.parse(line))));
}
await client.close();
