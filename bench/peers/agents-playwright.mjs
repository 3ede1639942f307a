// The calls of a model with @playwright/mcp. Its answers to actions only name a file with the
// snapshot, so what the page shows needs a call: browser_find where a text names the target, or
// browser_snapshot, of a part of the page where that is enough.
import { ref } from './agents-client.mjs';

const goto = (t, url) => t.call('browser_navigate', { url });
const find = (t, text) => t.call('browser_find', { text });
const see = (t, target) => t.call('browser_snapshot', target ? { target } : {});
const click = (t, element, target) => t.call('browser_click', { element, target });
const fill = (t, fields) => t.call('browser_fill_form', { fields: fields.map(([name, target, value, type = 'textbox']) => ({ name, target, type, value })) });

async function newOrder(t, url, customer) {
  await goto(t, `${url}/orders`);
  await click(t, 'New order', ref(await find(t, 'New order'), 'button', 'New order'));
  const form = await see(t, 'role=dialog');
  await fill(t, [['Customer', ref(form, 'textbox', 'Customer'), customer], ['Quantity', ref(form, 'spinbutton', 'Quantity'), '3'], ['Delivery date', ref(form, 'textbox', 'Delivery date'), '2026-05-04']]);
  await click(t, 'Product', ref(form, 'combobox', 'Product'));
  await click(t, 'Lantern', ref(await find(t, 'Lantern'), 'option', 'Lantern'));
  await click(t, 'Create', ref(form, 'button', 'Create'));
}

// date opens the calendar first: Enter in a field whose calendar is shut sends the form.
async function date(t, target, text) {
  await click(t, 'Customer since', target);
  await t.call('browser_type', { element: 'Customer since', target, text, submit: true });
}

export const playwright = {
  evaluate: async (t, script) => JSON.parse((await t.call('browser_evaluate', { function: `() => JSON.stringify(${script})` })).split('\n')[1].replace(/^"(.*)"$/, (s) => JSON.parse(s))),
  end: (t) => t.call('browser_close'),

  signIn: async (t, url) => {
    await goto(t, `${url}/login`);
    const form = await see(t);
    await fill(t, [['User', ref(form, 'textbox', 'User'), 'ada'], ['Password', ref(form, 'textbox', 'Password'), 'lovelace']]);
    await click(t, 'Sign in', ref(form, 'button', 'Sign in')); // the answer has the address of the orders
  },
  create: async (t, url) => { await newOrder(t, url, 'Ada Byron'); await find(t, 'created'); },
  search: async (t, url) => {
    await goto(t, `${url}/orders`);
    await t.call('browser_type', { element: 'Search orders', target: ref(await find(t, 'Search orders'), 'searchbox', 'Search orders'), text: 'Hopper' });
    await see(t, 'role=table');
  },
  refused: async (t, url) => { await newOrder(t, url, 'Nobody'); await see(t, 'role=dialog'); },
  remove: async (t, url) => {
    await goto(t, `${url}/orders`);
    await click(t, 'Delete order #1000', ref(await find(t, 'Delete order #1000'), 'button', 'Delete order #1000'));
    await click(t, 'Delete', ref(await see(t, 'role=alertdialog'), 'button', 'Delete'));
    await find(t, 'deleted');
  },

  form: async (t, url) => {
    await goto(t, url);
    const page = await see(t);
    await fill(t, [['Name', ref(page, 'textbox', '* Name'), 'Ada'], ['Age', ref(page, 'spinbutton', 'Age'), '36'], ['Newsletter', ref(page, 'checkbox', 'Newsletter'), 'true', 'checkbox'],
      ['Other', ref(page, 'radio', 'Other'), 'true', 'radio'], ['Active', ref(page, 'switch', 'Active'), 'false', 'checkbox']]);
    await click(t, 'Segment', ref(page, 'combobox', '* Segment'));
    await click(t, 'Company', ref(await find(t, 'Company'), 'generic', 'Company'));
    await click(t, 'Tags', ref(page, 'combobox', 'Tags'));
    const tags = await find(t, 'VIP');
    await click(t, 'Loyal', ref(tags, 'generic', 'Loyal'));
    await click(t, 'VIP', ref(tags, 'generic', 'VIP'));
    await date(t, ref(page, 'textbox', 'Customer since'), '1999-12-31'); // this press shuts the list of tags
  },
  // No tool scrolls, keys would need 776 presses, and the list cannot be searched: a script scrolls it.
  option: async (t, url) => {
    await goto(t, url);
    await click(t, 'Item', ref(await find(t, 'Item'), 'combobox', 'Item'));
    await find(t, 'Item 777');
    await t.call('browser_evaluate', { function: "() => { const list = [...document.querySelectorAll('.rc-virtual-list-holder')].find((e) => e.offsetParent); list.scrollTop = list.scrollHeight * 776 / 1000; }" });
    await click(t, 'Item 777', ref(await find(t, 'Item 777'), 'generic', 'Item 777'));
  },
  date: async (t, url) => {
    await goto(t, url);
    await date(t, ref(await find(t, 'Customer since'), 'textbox', 'Customer since'), '1987-03-14');
  },
  filter: async (t, url) => {
    await goto(t, url);
    const head = await find(t, 'Status');
    await click(t, 'filter of Status', ref(head, 'button', undefined, 'columnheader "Status filter"'));
    const menu = await see(t, '.ant-table-filter-dropdown'); // of Ant Design, which the page's heading names
    await click(t, 'Paid', ref(menu, 'menuitem', 'Paid'));
    await click(t, 'OK', ref(menu, 'button', 'OK'));
    await see(t, ref(head, 'table'));
  },
  // The row's snapshot has no refs for Edit, Delete and More, links without an address: a selector
  // that Playwright knows presses the one that is meant.
  edit: async (t, url) => {
    await goto(t, url);
    await see(t, ref(await find(t, '1003'), 'row', '1003 Dag D. Drill press 22 Paid Edit Delete More'));
    await click(t, 'Edit of order 1003', "role=row[name=/^1003/] >> text=Edit");
  },
};
