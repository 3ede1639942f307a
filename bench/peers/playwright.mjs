// What a script with Playwright does for the operations that bench measures.
//
//   node playwright.mjs serve OPTIONS     operations as lines of JSON on standard
//                                         input, in a process and browser that last
//   node playwright.mjs once OPTIONS OPS  a flow, with its process and browser
//
// OPTIONS: {"executablePath", "chromiumSandbox"}. An operation is a list of texts
// as on the command line. Times are taken in the process, in milliseconds.
import { chromium } from 'playwright-core';
import readline from 'node:readline';
import { pack, prepare } from './packs.mjs';

const [mode, options, list] = process.argv.slice(2);
const browser = await chromium.launch(JSON.parse(options));
const pages = [await newPage()];

async function newPage() {
  const context = await browser.newContext();
  return context.newPage();
}

async function perform(page, [name, ...args]) {
  const [selector, value] = args;
  switch (name) {
    case 'open': await page.goto(selector); return '';
    case 'click': await page.locator(selector).click(); return '';
    case 'check': await page.locator(selector).check(); return '';
    case 'uncheck': await page.locator(selector).uncheck(); return '';
    case 'fill': await page.locator(selector).fill(value); return '';
    case 'type': await page.locator(selector).pressSequentially(value); return '';
    case 'select': await page.locator(selector).selectOption(value); return '';
    case 'get': return selector === 'url' ? page.url() : page.locator(value).innerText();
    case 'eval': return String(await page.evaluate(selector));
    case 'screenshot': await page.screenshot({ path: selector }); return '';
    case 'snapshot': return page.ariaSnapshot({ mode: 'ai' });
    default: throw new Error(`no operation ${name}`);
  }
}

async function flow(page, ops) {
  let text = '';
  for (const op of ops) text = await perform(page, op);
  return text;
}

// A pack is opened and prepared in no one's time.
async function timedPack(page, url, name) {
  await page.goto(url);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  await prepare[name]?.(page);
  return timed(async () => {
    await pack(url, name)(page);
    return 'done';
  });
}

async function timed(work) {
  const began = performance.now();
  const text = await work();
  return { ms: performance.now() - began, text };
}

// A session is a browser context here: that is how Playwright keeps them apart.
async function sideBySide(sessions, ops) {
  while (pages.length < sessions) pages.push(await newPage());
  return timed(async () => {
    const texts = await Promise.all(pages.slice(0, sessions).map(page => flow(page, ops)));
    return texts.join('\n');
  });
}

if (mode === 'once') {
  console.log(await flow(pages[0], JSON.parse(list)));
} else {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { ops, sessions } = JSON.parse(line);
    let answer;
    try {
      if (ops?.[0]?.[0] === 'pack') answer = await timedPack(pages[0], ops[0][1], ops[0][2]);
      else answer = sessions ? await sideBySide(sessions, ops) : await timed(() => flow(pages[0], ops));
    } catch (error) {
      answer = { error: String(error) };
    }
    console.log(JSON.stringify(answer));
  }
}
await browser.close();
