// The calls of a model with `agent-browser mcp` and its tools by default. A press answers before
// the page has: what it causes is waited for by a text.
import { ref } from './agents-client.mjs';

const at = (...args) => `@${ref(...args)}`;
const open = (t, url) => t.call('agent_browser_open', { url });
const see = (t, options = {}) => t.call('agent_browser_snapshot', options);
const click = (t, selector) => t.call('agent_browser_click', { selector });
const fill = (t, selector, text) => t.call('agent_browser_fill', { selector, text });
const press = (t, key) => t.call('agent_browser_press', { key });
const waitFor = (t, text) => t.call('agent_browser_wait_for_text', { text, waitTimeoutMs: 5000 });

const waitForOne = (t, selector) => t.call('agent_browser_wait_for_selector', { selector, waitTimeoutMs: 5000 });

async function newOrder(t, url, customer) {
  await open(t, `${url}/orders`);
  await click(t, at(await see(t), 'button', 'New order'));
  const form = await see(t, { selector: '[role=dialog]' });
  await fill(t, at(form, 'textbox', 'Customer'), customer);
  await fill(t, at(form, 'spinbutton', 'Quantity'), '3');
  // For a date field, agent_browser_fill and agent_browser_type answer "success": true, and the
  // field stays empty: a script sets it.
  await t.call('agent_browser_eval', { script: "(() => { const date = document.querySelector('[role=dialog] input[type=date]'); date.value = '2026-05-04'; date.dispatchEvent(new Event('input', { bubbles: true })); date.dispatchEvent(new Event('change', { bubbles: true })); })()" });
  await click(t, at(form, 'combobox', 'Product'));
  await waitForOne(t, '[role=option]'); // a text would be found in the table behind
  await click(t, at(await see(t, { selector: '[role=listbox]' }), 'option', 'Lantern'));
  await click(t, at(form, 'button', 'Create'));
}

// list is the part of the page with the open list of a field: of Ant Design, which the page's
// heading names. The whole page again would take 5,000 tokens.
const list = { selector: '.ant-select-dropdown:not(.ant-select-dropdown-hidden)' };

async function date(t, selector, text) {
  await click(t, selector);
  await fill(t, selector, text);
  await press(t, 'Enter');
}

export const agentBrowser = {
  evaluate: async (t, script) => JSON.parse((await t.call('agent_browser_eval', { script: `JSON.stringify(${script})` })).replace(/^"(.*)"$/s, (s) => JSON.parse(s))),
  end: (t) => t.call('agent_browser_close'),

  signIn: async (t, url) => {
    await open(t, `${url}/login`);
    const form = await see(t);
    await fill(t, at(form, 'textbox', 'User'), 'ada');
    await fill(t, at(form, 'textbox', 'Password'), 'lovelace');
    await click(t, at(form, 'button', 'Sign in'));
    await waitFor(t, 'Sign out');
  },
  create: async (t, url) => { await newOrder(t, url, 'Ada Byron'); await waitFor(t, 'created'); },
  search: async (t, url) => {
    await open(t, `${url}/orders`);
    await fill(t, at(await see(t), 'searchbox', 'Search orders'), 'Hopper');
    await waitFor(t, '2 orders');
    await see(t);
  },
  refused: async (t, url) => { await newOrder(t, url, 'Nobody'); await t.call('agent_browser_wait_ms', { ms: 1000 }); await see(t, { selector: '[role=dialog]', interactive: false }); },
  remove: async (t, url) => {
    await open(t, `${url}/orders`);
    await click(t, at(await see(t), 'button', 'Delete order #1000'));
    await click(t, at(await see(t, { selector: '[role=alertdialog]' }), 'button', 'Delete'));
    await waitFor(t, 'deleted');
  },

  form: async (t, url) => {
    await open(t, url);
    const page = await see(t);
    await fill(t, at(page, 'textbox', '* Name'), 'Ada');
    await fill(t, at(page, 'spinbutton', 'Age'), '36');
    await click(t, at(page, 'checkbox', 'Newsletter'));
    await click(t, at(page, 'radio', 'Other'));
    await click(t, at(page, 'switch', 'Active'));
    await click(t, at(page, 'combobox', '* Segment'));
    await waitFor(t, 'Company');
    await click(t, at(await see(t, list), 'generic', 'Company'));
    await click(t, at(page, 'combobox', 'Tags'));
    await waitFor(t, 'VIP');
    const tags = await see(t, { selector: '.ant-select-dropdown:has([title=VIP])' }); // the other one may still be closing
    await click(t, at(tags, 'generic', 'Loyal'));
    await click(t, at(tags, 'generic', 'VIP'));
    await date(t, at(page, 'textbox', 'Customer since'), '1999-12-31');
  },
  // The tool that scrolls moves the page, not the list: a script scrolls it.
  option: async (t, url) => {
    await open(t, url);
    await click(t, at(await see(t), 'combobox', 'Item'));
    await waitFor(t, 'Item 10');
    await see(t, list); // it shows the first ten options
    await t.call('agent_browser_eval', { script: "(() => { const list = [...document.querySelectorAll('.rc-virtual-list-holder')].find((e) => e.offsetParent); list.scrollTop = list.scrollHeight * 776 / 1000; })()" });
    await click(t, at(await see(t, list), 'generic', 'Item 777'));
  },
  date: async (t, url) => {
    await open(t, url);
    await date(t, at(await see(t), 'textbox', 'Customer since'), '1987-03-14');
  },
  filter: async (t, url) => {
    await open(t, url);
    await click(t, at(await see(t), 'button', 'filter'));
    const menu = await see(t, { selector: '.ant-table-filter-dropdown' });
    await click(t, at(menu, 'menuitem', 'Paid'));
    await click(t, at(menu, 'button', 'OK'));
    await see(t, { selector: 'table' });
  },
  edit: async (t, url) => {
    await open(t, url);
    await click(t, at(await see(t), 'link', 'Edit', 'row "1003'));
  },
};
