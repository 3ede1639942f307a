// Tables of ARIA roles: which elements have them, and how they are treated.

import { attr, hasAttr, matches } from './dom.js';
import { byCSS } from './flat.js';

// NATIVE maps each role to a selector of the elements that have it by default. Such a candidate
// still has to pass roleOf, or the browser's role.
export const NATIVE = {
  alert: '', alertdialog: '', application: '', article: 'article', banner: 'header', blockquote: 'blockquote',
  button: 'button,summary,input[type=button],input[type=submit],input[type=reset],input[type=image]',
  caption: 'caption,figcaption', cell: 'td', checkbox: 'input[type=checkbox]', code: 'code', columnheader: 'th,td',
  combobox: 'select,input', complementary: 'aside', contentinfo: 'footer', definition: 'dd', deletion: 'del,s',
  dialog: 'dialog', directory: '', document: 'html', emphasis: 'em', feed: '', figure: 'figure', form: 'form',
  generic: 'div,span,b,i,u,small,pre,q,body,a,area,section,aside,header,footer',
  grid: '', gridcell: 'td,th', group: 'fieldset,details,optgroup,address,hgroup', heading: 'h1,h2,h3,h4,h5,h6',
  image: 'img,svg', insertion: 'ins', link: 'a[href],area[href]', list: 'ul,ol,menu', listbox: 'select,datalist',
  listitem: 'li', log: '', main: 'main', mark: 'mark', marquee: '', math: 'math', menu: '', menubar: '', menuitem: '',
  menuitemcheckbox: '', menuitemradio: '', meter: 'meter', navigation: 'nav', none: 'img', note: '',
  option: 'option', paragraph: 'p', presentation: 'img', progressbar: 'progress', radio: 'input[type=radio]',
  radiogroup: '', region: 'section', row: 'tr', rowgroup: 'tbody,thead,tfoot', rowheader: 'th', scrollbar: '',
  search: 'search', searchbox: 'input[type=search]', separator: 'hr', slider: 'input[type=range]',
  spinbutton: 'input[type=number]', status: 'output', strong: 'strong', subscript: 'sub', superscript: 'sup',
  suggestion: '', switch: 'input[type=checkbox]', tab: '', table: 'table', tablist: '', tabpanel: '', term: 'dt,dfn',
  textbox: 'input,textarea,[contenteditable]', time: 'time', timer: '', toolbar: '', tooltip: '', tree: '',
  treegrid: '', treeitem: '',
};

export const SYNONYMS = { img: 'image', presentation: 'none', directory: 'list' };
export const plainRole = (role) => SYNONYMS[role] ?? role;

export const NAMED_BY_CONTENT = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem', 'term']);
export const UNNAMED = new Set(['caption', 'code', 'deletion', 'emphasis', 'generic', 'insertion', 'none', 'paragraph', 'strong',
  'subscript', 'superscript', 'mark', 'suggestion', 'time']);
export const SECTIONS = 'article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]';
export const FOCUSABLE = 'a[href],area[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])';
export const GLOBAL_ARIA = ['aria-label', 'aria-labelledby', 'aria-describedby', 'aria-live', 'aria-controls', 'aria-owns', 'aria-busy', 'aria-atomic'];

export const TAG_ROLES = {
  article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code', datalist: 'listbox',
  dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group',
  figcaption: 'caption', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hr: 'separator', html: 'document', ins: 'insertion', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter',
  nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar',
  address: 'group', hgroup: 'group', s: 'deletion', search: 'search', strong: 'strong', sub: 'subscript', summary: 'button',
  sup: 'superscript', svg: 'image', table: 'table', tbody: 'rowgroup', textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup',
  time: 'time', tr: 'row', ul: 'list',
};
export const GENERIC = new Set(['div', 'span', 'b', 'i', 'u', 'small', 'pre', 'q', 'body', 'data', 'bdi', 'bdo', 'samp']);
export const INPUT_ROLES = {
  button: 'button', image: 'button', reset: 'button', submit: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
  number: 'spinbutton', search: 'searchbox', text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox', password: 'textbox',
};

export const ACTS = 'button,a,area,[role=button],[role=link],[role=menuitem]';
export const INTERACTIVE = new Set(['button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'scrollbar', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem', 'clickable']);
export const STRUCTURAL = new Set(['alertdialog', 'application', 'banner', 'complementary', 'contentinfo', 'dialog', 'directory', 'document', 'feed',
  'form', 'grid', 'group', 'iframe', 'list', 'main', 'menu', 'menubar', 'navigation', 'radiogroup', 'region', 'row', 'rowgroup', 'search',
  'table', 'tablist', 'tabpanel', 'toolbar', 'tree', 'treegrid']);

// Roles that are named by their content: a snapshot shows nothing inside but what can be acted on.
export const LEAVES = new Set(['button', 'checkbox', 'clickable', 'heading', 'image', 'link', 'math', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
  'meter', 'option', 'progressbar', 'radio', 'scrollbar', 'separator', 'slider', 'spinbutton', 'switch', 'tab', 'tooltip']);
// Roles of inline text, whose words belong to the text around them.
export const INLINE = new Set(['generic', 'none', '', 'strong', 'emphasis', 'mark', 'code', 'subscript', 'superscript', 'time', 'insertion',
  'deletion', 'suggestion', 'document']);
// Roles of ancestors that can distinguish elements with the same role and name.
export const CONTEXT = new Set(['row', 'listitem', 'article', 'group', 'region', 'form', 'dialog', 'alertdialog', 'tabpanel', 'treeitem', 'figure',
  'complementary', 'radiogroup', 'toolbar', 'navigation', 'table', 'list', 'search', 'iframe', 'menu', 'tree', 'grid']);

export const roles = (...names) => names.map((n) => `[role=${n}]`).join(',');

// A Kind of element is given by a selector or by roles. One selector for all roles is several times
// as fast in the browser as one for each.
export class Kind {
  constructor(css, ...names) {
    this.css = css;
    this.roles = new Set(names);
  }
  is(el) {
    return this.roles.has(attr(el, 'role')) || matches(el, this.css);
  }
  in(within) {
    return byCSS(within, this.css + ',[role]').filter((el) => !hasAttr(el, 'role') || this.is(el));
  }
}

export const DIALOGS = 'dialog,' + roles('dialog', 'alertdialog') + ',[aria-modal=true]';
export const OPENERS = '[aria-expanded],[aria-haspopup]:not([aria-haspopup=false]),[role=combobox]';
export const CHOICES = '[role=option],[role=listbox],[role=menu],[role=combobox],[aria-autocomplete],[list]';
