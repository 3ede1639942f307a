// Counts the tokens of each line of the standard input, in o200k, and prints one number a line.
import { createInterface } from "node:readline";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

for await (const line of createInterface({ input: process.stdin })) console.log(encode(line).length);
