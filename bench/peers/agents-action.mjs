// The calls of a model with `action mcp`: for a task that it knows, and for one that it does not.

const values = { Name: 'Ada', Age: 36, Segment: 'Company', Tags: ['Loyal', 'VIP'], 'Customer since': '1999-12-31', Newsletter: true, Gender: 'Other', Active: false };
const order = { customer: 'Ada Byron', product: 'Lantern', quantity: 3, date: '2026-05-04' };
const nobody = { ...order, customer: 'Nobody' };

const run = (t, action, params) => t.call('run', params ? { action, params } : { action });
const open = (t, url) => t.call('act', { step: 'open', args: { url } });

const common = {
  evaluate: async (t, script) => JSON.parse((await t.call('act', { step: 'eval', args: { script: `return JSON.stringify(${script})` } })).match(/^data: (.*)$/m)[1]).value,
  end: (t) => t.call('session', { op: 'close' }),
};

export const ours = {
  ...common,
  signIn: (t) => run(t, 'shop:session:start'), // the password comes from the server's configuration
  create: (t) => run(t, 'shop:order:create', order),
  search: (t) => run(t, 'shop:order:search', { words: 'Hopper' }),
  refused: (t) => t.try('run', { action: 'shop:order:create', params: nobody }),
  remove: (t) => run(t, 'shop:order:delete', { id: '1000' }),
  form: async (t, url) => { await open(t, url); await run(t, 'antd:form:fill', { within: 'Customer', values }); },
  option: async (t, url) => { await open(t, url); await run(t, 'antd:select:choose', { label: 'Item', option: 'Item 777' }); },
  date: async (t, url) => { await open(t, url); await run(t, 'antd:date:pick', { label: 'Customer since', value: '1987-03-14' }); },
  filter: async (t, url) => {
    await open(t, url);
    await run(t, 'antd:table:filter', { column: 'Status', options: ['Paid'], within: 'Orders' });
    await run(t, 'antd:table:read', { within: 'Orders' });
  },
  edit: async (t, url) => { await open(t, url); await run(t, 'antd:table:row-action', { row: { Order: '1003' }, text: 'Edit', within: 'Orders' }); },
};

// learn finds an action by words and reads its params.
async function learn(t, query, action) {
  if (!(await t.call('search', { query })).includes(`${action}(`)) throw new Error(`search does not find ${action}`);
  await t.call('describe', { action });
}

// library runs an action of components as the search names it. The search says "for a known
// library: antd, element"; where the general action fails, the model takes that of the library.
// The general table:filter fails with its list open, which Escape does not shut: the second
// failure says "close it first", so the page is opened again.
async function library(t, url, name, params) {
  if (!(await t.try('run', { action: `components:${name}`, params })).failed) return;
  const { text, failed } = await t.try('run', { action: `antd:${name}`, params });
  if (!failed) return;
  if (!text.includes('close it first')) throw new Error(text.split('\n')[0]);
  await t.call('act', { step: 'press', args: { key: 'Escape' } });
  if (!(await t.try('run', { action: `antd:${name}`, params })).failed) return;
  await open(t, url);
  await run(t, `antd:${name}`, params);
}

export const oursUnknown = {
  ...common,
  signIn: async (t) => { await learn(t, 'sign in to the shop', 'shop:session:start'); await ours.signIn(t); },
  create: async (t) => { await learn(t, 'create an order', 'shop:order:create'); await ours.create(t); },
  search: async (t) => { await learn(t, 'search orders', 'shop:order:search'); await ours.search(t); },
  refused: async (t) => { await learn(t, 'create an order', 'shop:order:create'); await ours.refused(t); },
  remove: async (t) => { await learn(t, 'delete an order', 'shop:order:delete'); await ours.remove(t); },
  form: async (t, url) => { await learn(t, 'fill a form', 'components:form:fill'); await open(t, url); await library(t, url, 'form:fill', { within: 'Customer', values }); },
  option: async (t, url) => { await learn(t, 'choose an option in a list', 'components:select:choose'); await open(t, url); await library(t, url, 'select:choose', { label: 'Item', option: 'Item 777' }); },
  date: async (t, url) => { await learn(t, 'pick a date', 'components:date:pick'); await open(t, url); await library(t, url, 'date:pick', { label: 'Customer since', value: '1987-03-14' }); },
  filter: async (t, url) => {
    await learn(t, 'filter a table by a column and read its rows', 'components:table:filter');
    await open(t, url);
    await library(t, url, 'table:filter', { column: 'Status', options: ['Paid'], within: 'Orders' });
    await library(t, url, 'table:read', { within: 'Orders' });
  },
  edit: async (t, url) => { await learn(t, 'press a button in a row of a table', 'components:table:row-action'); await open(t, url); await library(t, url, 'table:row-action', { row: { Order: '1003' }, text: 'Edit', within: 'Orders' }); },
};
