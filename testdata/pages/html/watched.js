// A page that watches everything a reader could do to it: calls of built-ins, reads of
// properties that are not there, changes of the DOM, events, new names on the window.
// What it has seen since it was asked last goes to whoever asks by a message: {seen, names}.
(() => {
  'use strict';
  const seen = [], apply = Reflect.apply, keys = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, define = Object.defineProperty;
  const Watcher = MutationObserver, listen = EventTarget.prototype.addEventListener;
  const send = window.postMessage, Proxied = Proxy, reparent = Object.setPrototypeOf;
  const above = { get: Reflect.get, has: Reflect.has };
  const note = (what) => { seen[seen.length] = what; };

  function watch(of, name) {
    for (const key of keys(of)) {
      if (key === 'constructor' || key === '__proto__') continue;
      const d = describe(of, key);
      if (!d.configurable) continue;
      const label = `${name}.${typeof key === 'symbol' ? '@' + key.description : key}`;
      for (const part of ['value', 'get', 'set']) {
        const was = d[part];
        if (typeof was !== 'function' || (part === 'value' && was.prototype && key[0] === key[0].toUpperCase?.())) continue;
        d[part] = function (...args) {
          note(`${part === 'value' ? '' : part + ' '}${label}`);
          return apply(was, this, args);
        };
      }
      define(of, key, d);
    }
  }

  const observer = new Watcher((records) => note('changed ' + records[0].type));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  window.watchRoot = (root) => observer.observe(root, all);

  window.startWatching = () => {
    observer.observe(document, all);
    for (const type of ['focus', 'blur', 'focusin', 'mousemove', 'mouseover', 'pointerover', 'pointerdown', 'scroll', 'selectionchange', 'input', 'change', 'keydown', 'resize']) {
      apply(listen, window, [type, () => note('event ' + type), true]);
    }
    window.watching = false;
    const names = keys(window).length;
    apply(listen, window, ['message', (e) => {
      if (e.data === 'touch') {
        document.documentElement.setAttribute('touched', '');
        return;
      }
      if (e.data !== 'report') return;
      let text = '';
      for (let i = 0; i < seen.length && i < 500; i++) text += seen[i] + '\n';
      seen.length = 0;
      const report = { tell: window.location.pathname, seen: text, names: keys(window).length - names };
      apply(send, e.source ?? window, [report, '*']);
    }]);
    // What is asked of a node and is not there gets as far as this. The window's own
    // prototypes cannot be replaced: its names are watched one by one below.
    reparent(Node.prototype, new Proxied(EventTarget.prototype, {
      get(o, key, self) { note('asked for ' + String(key)); return above.get(o, key, self); },
      has(o, key) { note('asked whether there is ' + String(key)); return above.has(o, key); },
    }));
    for (const name of ['then', 'toJSON', '__action', 'index', 'kind']) {
      define(Object.prototype, name, { configurable: true, get() { note('asked an object for ' + name); return undefined; }, set(v) { define(this, name, { value: v, writable: true, configurable: true, enumerable: true }); } });
    }
    for (const name of ['Node', 'Element', 'HTMLElement', 'Document', 'HTMLDocument', 'DocumentFragment', 'ShadowRoot', 'CharacterData', 'Text', 'Attr', 'Range', 'Selection',
      'HTMLInputElement', 'HTMLSelectElement', 'HTMLOptionElement', 'HTMLTextAreaElement', 'HTMLLabelElement', 'HTMLIFrameElement', 'HTMLSlotElement', 'HTMLAnchorElement',
      'CSSStyleDeclaration', 'DOMRectReadOnly', 'NodeList', 'XPathResult', 'Event', 'UIEvent', 'MouseEvent', 'EventTarget', 'MutationObserver', 'Promise', 'RegExp', 'String', 'Number',
      'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Function', 'Error', 'Object']) {
      watch(window[name].prototype, name);
    }
    for (const name of ['JSON', 'Object', 'Reflect', 'Array', 'Promise', 'Math', 'CSS']) watch(window[name], name);
    for (const name of ['getComputedStyle', 'requestAnimationFrame', 'setTimeout', 'clearTimeout', 'setInterval', 'getSelection', 'queueMicrotask']) {
      const was = window[name];
      window[name] = function (...args) { note(name); return apply(was, this, args); };
    }
    Error.prepareStackTrace = () => { note('Error.prepareStackTrace'); return ''; };
    seen.length = 0;
    window.watching = true;
  };
})();
