// What someone writes with Playwright for the applications of testdata/libraries: a script for
// each case of packs.go, which ends when the page shows what it has done.
//
// prepare brings the page to where a case begins, and is not timed.

export const prepare = {
  'dialog:cancel': async (page) => {
    await page.getByRole('button', { name: 'New order' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

const shows = (locator, text) => locator.filter({ hasText: text }).first().waitFor();
const holds = async (page, script) => { await page.waitForFunction(`(s => ${script})(JSON.parse(document.getElementById('state').textContent))`); };

// Ant Design 5.
const item = (page, label) => page.locator('.ant-card').filter({ has: page.locator('.ant-card-head-title', { hasText: /^Customer$/ }) })
  .locator('.ant-form-item').filter({ has: page.locator('label', { hasText: new RegExp(`^${label}$`) }) });
const card = (page, title) => page.locator('.ant-card').filter({ has: page.locator('.ant-card-head-title', { hasText: new RegExp(`^${title}$`) }) });
const openList = (page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)');

async function antdSelect(page, label, options) {
  const field = item(page, label);
  await field.locator('.ant-select-selector').click();
  for (const option of options) await openList(page).locator('.ant-select-item-option', { hasText: new RegExp(`^${option}$`) }).click();
  for (const option of options) await shows(field.locator('.ant-select-selection-item'), option);
  if (options.length > 1) await page.keyboard.press('Escape');
}

async function antdDate(page, label, value) {
  const input = item(page, label).locator('input');
  await input.click();
  await input.fill(value);
  await input.press('Enter');
  await page.waitForFunction(([el, v]) => el.value === v, [await input.elementHandle(), value]);
}

const antd = {
  'input:fill': (page) => item(page, 'Name').locator('input').fill('Ada'),
  'checkbox:set': (page) => page.getByRole('checkbox', { name: 'Newsletter' }).check(),
  'radio:choose': (page) => item(page, 'Gender').getByRole('radio', { name: 'Other' }).check(),
  'switch:set': async (page) => {
    await item(page, 'Active').getByRole('switch').click();
    await page.locator('.ant-switch[aria-checked=false]').waitFor();
  },
  'select:choose': (page) => antdSelect(page, 'Segment', ['School']),
  'select:choose, several': (page) => antdSelect(page, 'Tags', ['Loyal', 'VIP']),
  'select:choose, of 1,000': async (page) => {
    const field = item(page, 'Item');
    await field.locator('.ant-select-selector').click();
    const option = openList(page).locator('.ant-select-item-option[title="Item 777"]');
    const list = openList(page).locator('.rc-virtual-list-holder');
    for (let i = 0; i < 400 && !await option.count(); i++) await list.evaluate((el) => { el.scrollTop += el.clientHeight; return new Promise(requestAnimationFrame); });
    await option.click();
    await shows(field.locator('.ant-select-selection-item'), 'Item 777');
  },
  'cascader:choose': async (page) => {
    const field = item(page, 'Region');
    await field.locator('.ant-select-selector').click();
    for (const name of ['Europe', 'Norway', 'Bergen']) await page.locator('.ant-cascader-menu-item', { hasText: new RegExp(`^${name}$`) }).click();
    await shows(field.locator('.ant-select-selection-item'), 'Europe / Norway / Bergen');
  },
  'date:pick': (page) => antdDate(page, 'Customer since', '2026-05-01'),
  'time:pick': (page) => antdDate(page, 'Call at', '13:45:10'),
  'form:fill, 8 fields': async (page) => {
    await item(page, 'Name').locator('input').fill('Ada');
    await item(page, 'Age').locator('input').fill('36');
    await antdSelect(page, 'Segment', ['Company']);
    await antdSelect(page, 'Tags', ['Loyal', 'VIP']);
    await antdDate(page, 'Customer since', '1999-12-31');
    await page.getByRole('checkbox', { name: 'Newsletter' }).check();
    await item(page, 'Gender').getByRole('radio', { name: 'Other' }).check();
    await antd['switch:set'](page);
  },
  'dialog:open': async (page) => {
    await page.getByRole('button', { name: 'New order' }).click();
    await page.getByRole('dialog', { name: 'New order' }).waitFor();
  },
  'dialog:cancel': async (page) => {
    const dialog = page.getByRole('dialog', { name: 'New order' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  },
  'menu:select': async (page) => {
    const menu = card(page, 'Menu');
    for (const name of ['Settings', 'Users']) await menu.locator('.ant-menu-submenu-title', { hasText: new RegExp(`^${name}$`) }).click();
    await menu.locator('.ant-menu-item', { hasText: /^Roles$/ }).first().click();
    await holds(page, 's.log.includes("menu roles")');
  },
  'tabs:switch': async (page) => {
    await page.getByRole('tab', { name: 'History' }).click();
    await page.locator('.ant-tabs-tab-active', { hasText: 'History' }).waitFor();
  },
  'tree:select': async (page) => {
    const node = (name) => card(page, 'Places').locator('.ant-tree-treenode:not([aria-hidden])').filter({ has: page.locator('.ant-tree-title', { hasText: new RegExp(`^${name}$`) }) });
    for (const name of ['Head office', 'Sales']) { // a press on a node that still moves is lost
      await node(name).locator('.ant-tree-switcher_close').click();
      await page.locator('.ant-tree-treenode-motion').waitFor({ state: 'detached' });
    }
    await node('North').locator('.ant-tree-title').click();
    await card(page, 'Places').locator('.ant-tree-treenode-selected', { hasText: 'North' }).waitFor();
  },
  'table:read': async (page) => {
    const heads = await card(page, 'Orders').locator('thead th').allInnerTexts();
    const rows = await card(page, 'Orders').locator('tbody tr.ant-table-row').evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.innerText)));
    if (heads.length < 6 || rows.length !== 10) throw new Error(`read ${rows.length} rows`);
  },
  'table:sort': async (page) => {
    const head = card(page, 'Orders').locator('thead th', { hasText: 'Quantity' });
    await head.click();
    await card(page, 'Orders').locator('thead th[aria-sort=ascending]', { hasText: 'Quantity' }).waitFor();
  },
  'table:filter': async (page) => {
    await card(page, 'Orders').locator('thead th', { hasText: 'Status' }).locator('.ant-table-filter-trigger').click();
    const menu = page.locator('.ant-table-filter-dropdown');
    await menu.getByRole('menuitem', { name: 'Paid' }).click();
    await menu.getByRole('button', { name: 'OK' }).click();
    await holds(page, 's.table && s.table.filters.join() === "Paid"');
  },
  'table:row-action': async (page) => {
    await card(page, 'Orders').locator('tbody tr', { hasText: '1003' }).getByText('Edit', { exact: true }).first().click();
    await holds(page, 's.log.includes("edit 1003")');
  },
  'pagination:go': async (page) => {
    await card(page, 'Orders').locator('.ant-pagination-item-3').click();
    await card(page, 'Orders').locator('.ant-pagination-item-3.ant-pagination-item-active').waitFor();
  },
};

// Element Plus.
const cardOf = (page, title) => page.locator('.el-card').filter({ has: page.locator('.el-card__header', { hasText: new RegExp(`^\\s*${title}\\b`) }) });
const fieldOf = (page, label) => cardOf(page, 'Customer').locator('.el-form-item').filter({ has: page.locator('.el-form-item__label', { hasText: new RegExp(`^${label}$`) }) });
const listOf = (page) => page.locator('.el-select__popper[aria-hidden=false]');

async function elementSelect(page, label, options) {
  const field = fieldOf(page, label);
  await field.locator('.el-select__wrapper').click();
  for (const option of options) await listOf(page).locator('.el-select-dropdown__item', { hasText: new RegExp(`^${option}$`) }).click();
  for (const option of options) await shows(field.locator('.el-select__selected-item'), option);
  if (options.length > 1) await page.keyboard.press('Escape');
}

async function elementDate(page, label, value) {
  const input = fieldOf(page, label).locator('input');
  await input.click();
  await input.fill(value);
  await input.press('Enter');
  await page.waitForFunction(([el, v]) => el.value === v, [await input.elementHandle(), value]);
}

const element = {
  'input:fill': (page) => fieldOf(page, 'Name').locator('input').fill('Ada'),
  'checkbox:set': (page) => cardOf(page, 'Customer').locator('.el-checkbox', { hasText: 'Newsletter' }).click(),
  'radio:choose': (page) => fieldOf(page, 'Gender').locator('.el-radio', { hasText: 'Other' }).click(),
  'switch:set': async (page) => {
    await fieldOf(page, 'Active').locator('.el-switch').click();
    await fieldOf(page, 'Active').locator('.el-switch:not(.is-checked)').waitFor();
  },
  'select:choose': (page) => elementSelect(page, 'Segment', ['School']),
  'select:choose, several': (page) => elementSelect(page, 'Tags', ['Loyal', 'VIP']),
  'select:choose, of 1,000': async (page) => {
    const field = fieldOf(page, 'Item');
    await field.locator('.el-select__wrapper').click();
    const option = page.locator('.el-select-dropdown__item', { hasText: /^Item 777$/ });
    const list = page.locator('.el-select__popper[aria-hidden=false] .el-vl__window, .el-select__popper[aria-hidden=false] .el-select-dropdown__list').first();
    await list.waitFor();
    for (let i = 0; i < 400 && !await option.count(); i++) await list.evaluate((el) => { el.scrollTop += el.clientHeight; return new Promise(requestAnimationFrame); });
    await option.click();
    await shows(field.locator('.el-select__selected-item'), 'Item 777');
  },
  'cascader:choose': async (page) => {
    const field = fieldOf(page, 'Region');
    await field.locator('.el-cascader').click();
    for (const name of ['Europe', 'Norway', 'Bergen']) await page.locator('.el-cascader__dropdown[aria-hidden=false] .el-cascader-node', { hasText: new RegExp(`^${name}$`) }).click();
    await page.waitForFunction((el) => el.value === 'Europe / Norway / Bergen', await field.locator('input').elementHandle());
  },
  'date:pick': (page) => elementDate(page, 'Customer since', '2026-05-01'),
  'time:pick': async (page) => { // Enter does not take over a time that is typed
    const input = fieldOf(page, 'Call at').locator('input');
    await input.click();
    await input.fill('13:45:10');
    await page.locator('.el-time-panel__btn.confirm:visible').click();
    await holds(page, 's.customer.at === "13:45:10"');
  },
  'form:fill, 8 fields': async (page) => {
    await fieldOf(page, 'Name').locator('input').fill('Ada');
    const age = fieldOf(page, 'Age').locator('input');
    await age.fill('36');
    await age.press('Tab');
    await elementSelect(page, 'Segment', ['Company']);
    await elementSelect(page, 'Tags', ['Loyal', 'VIP']);
    await elementDate(page, 'Customer since', '1999-12-31');
    await element['checkbox:set'](page);
    await element['radio:choose'](page);
    await element['switch:set'](page);
  },
  'dialog:open': antd['dialog:open'],
  'dialog:cancel': antd['dialog:cancel'],
  'menu:select': async (page) => {
    const menu = cardOf(page, 'Menu');
    for (const name of ['Settings', 'Users']) await menu.locator('.el-sub-menu__title', { hasText: new RegExp(`^${name}$`) }).click();
    await menu.locator('.el-menu-item', { hasText: /^Roles$/ }).first().click();
    await holds(page, 's.log.includes("menu roles")');
  },
  'tabs:switch': async (page) => {
    await page.getByRole('tab', { name: 'History' }).click();
    await page.locator('.el-tabs__item.is-active', { hasText: 'History' }).waitFor();
  },
  'tree:select': async (page) => {
    const node = (name) => cardOf(page, 'Places').locator('.el-tree-node__content').filter({ has: page.locator('.el-tree-node__label', { hasText: new RegExp(`^${name}$`) }) });
    for (const name of ['Head office', 'Sales']) await node(name).locator('.el-tree-node__expand-icon').click();
    await node('North').first().click();
    await holds(page, 's.tree && s.tree.join() === "north"');
  },
  'table:read': async (page) => {
    const heads = await cardOf(page, 'Orders').locator('thead th').allInnerTexts();
    const rows = await cardOf(page, 'Orders').locator('tbody tr.el-table__row').evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.innerText)));
    if (heads.length < 6 || rows.length !== 10) throw new Error(`read ${rows.length} rows`);
  },
  'table:sort': async (page) => {
    await cardOf(page, 'Orders').locator('thead th', { hasText: 'Quantity' }).click();
    await cardOf(page, 'Orders').locator('thead th.ascending', { hasText: 'Quantity' }).waitFor();
  },
  'table:filter': async (page) => {
    await cardOf(page, 'Orders').locator('thead th', { hasText: 'Status' }).locator('.el-table__column-filter-trigger').click();
    const menu = page.locator('.el-table-filter');
    await menu.locator('.el-checkbox', { hasText: 'Paid' }).click();
    await menu.getByRole('button', { name: 'Confirm' }).click();
    await holds(page, 's.table && s.table.filters.join() === "Paid"');
  },
  'table:row-action': async (page) => {
    await cardOf(page, 'Orders').locator('tbody tr', { hasText: '1003' }).getByText('Edit', { exact: true }).first().click();
    await holds(page, 's.log.includes("edit 1003")');
  },
  'pagination:go': async (page) => {
    await cardOf(page, 'Orders').locator('.el-pager .number', { hasText: /^3$/ }).click();
    await cardOf(page, 'Orders').locator('.el-pager .number.is-active', { hasText: /^3$/ }).waitFor();
  },
};

// pack is the script of a case on the page of a library.
export function pack(url, name) {
  const script = (url.includes('antd') ? antd : element)[name];
  if (!script) throw new Error(`there is no script for ${name}`);
  return script;
}
