// The ten tasks, and the calls that a careful model makes for them with the tools of each server.
// A task begins with the address of the page; the shop stays signed in after the first. Where a
// ref is needed, it is read from an answer by role and name. A new snapshot is taken only where
// the last answer does not show the target.
import { ours, oursUnknown } from './agents-action.mjs';
import { agentBrowser } from './agents-agentbrowser.mjs';
import { playwright } from './agents-playwright.mjs';

export const lanes = { action: ours, 'action, unknown': oursUnknown, 'agent-browser': agentBrowser, playwright };

// state is a script for the applications of testdata/libraries, which show what they hold.
const state = "JSON.parse(document.getElementById('state').textContent)";
const refusal = 'Customer Nobody is not known';
const paid = ['1000', '1003', '1006', '1009', '1012', '1015', '1018', '1021', '1024', '1027'];

// done gets the texts of all answers, the orders of the shop and a function that runs a script in
// the page; that call is not counted.
export const tasks = [
  { key: 'signIn', name: 'sign in', page: 'shop',
    done: ({ page }) => page("location.pathname === '/orders' && [...document.querySelectorAll('button')].some((b) => b.textContent.trim() === 'Sign out')") },
  { key: 'create', name: 'create an order', page: 'shop',
    done: async ({ orders }) => (await orders()).some((o) => o.customer === 'Ada Byron' && o.product === 'Lantern' && o.quantity === 3 && o.date === '2026-05-04') },
  { key: 'search', name: 'search orders and read them', page: 'shop', // the two orders of Grace Hopper, with what they are for
    done: async ({ answers, orders }) => {
      const found = (await orders()).filter((o) => o.customer === 'Grace Hopper');
      return found.length === 2 && found.every((o) => answers.includes(o.id) && answers.includes(o.product));
    } },
  { key: 'refused', name: 'notice a refused order', page: 'shop', // no order is made, and the answers have the reason
    done: async ({ answers, orders, page }) => !(await orders()).some((o) => o.customer === 'Nobody') && answers.includes(refusal) && page(`document.body.innerText.includes('${refusal}')`) },
  { key: 'remove', name: 'delete an order', page: 'shop',
    done: async ({ orders }) => { const all = await orders(); return all.length > 0 && !all.some((o) => o.id === 1000); } },

  { key: 'form', name: 'fill a form of 8 fields', page: 'antd5',
    done: ({ page }) => page(`(({customer: c}) => c.name === 'Ada' && c.age == 36 && c.segment === 'Company' && c.tags.join() === 'Loyal,VIP' && c.since === '1999-12-31' && c.newsletter === true && c.gender === 'Other' && c.active === false)(${state})`) },
  { key: 'option', name: 'choose one of 1,000 options', page: 'antd5', done: ({ page }) => page(`${state}.customer.item === 'Item 777'`) },
  { key: 'date', name: 'pick a date far away', page: 'antd5', done: ({ page }) => page(`${state}.customer.since === '1987-03-14'`) },
  { key: 'filter', name: 'filter a table and read it', page: 'antd5', // the ten rows of the first page
    done: async ({ answers, page }) => paid.every((order) => answers.includes(order)) && page(`(${state}.table?.filters ?? []).join() === 'Paid'`) },
  { key: 'edit', name: 'press Edit in a row', page: 'antd5', done: ({ page }) => page(`${state}.log.join() === 'edit 1003'`) },
];
