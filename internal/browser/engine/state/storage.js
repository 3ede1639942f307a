// The storage of one origin: reads it, and writes it back. It runs in an isolated world of a
// document of that origin, which shares storage with the page but no built-ins. Values are encoded
// as in Playwright's storageState; maps, sets, buffers, views and blobs, which that lacks, are our
// additions.
async (method, arg) => {
  'use strict';

  class Cannot extends Error {}

  const wait = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = (e) => {
      e.preventDefault();
      fail(request.error);
    };
  });
  const ended = (tx) => new Promise((done, fail) => {
    tx.oncomplete = () => done();
    tx.onabort = () => fail(tx.error ?? new Cannot('the transaction was aborted'));
  });

  function toBase64(buffer) {
    const bytes = new Uint8Array(buffer);
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
  }
  const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  const arrays = {
    i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array, ui32: Uint32Array,
    f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
  };
  const special = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity, '-0': -0 };

  // isPlain reports whether v survives JSON unchanged, and no object in it occurs twice.
  function isPlain(v, seen = new Set()) {
    if (v === null || typeof v === 'string' || typeof v === 'boolean') return true;
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0);
    if (typeof v !== 'object' || seen.has(v)) return false;
    seen.add(v);
    if (Array.isArray(v)) {
      if (Object.keys(v).length !== v.length) return false; // holes, or names
      return v.every((item) => isPlain(item, seen));
    }
    return Object.getPrototypeOf(v) === Object.prototype && Object.values(v).every((item) => isPlain(item, seen));
  }

  // encode writes a value that JSON cannot hold.
  async function encode(v, seen = new Map()) {
    if (v === null) return { v: 'null' };
    if (v === undefined) return { v: 'undefined' };
    if (typeof v === 'string' || typeof v === 'boolean') return v;
    if (typeof v === 'bigint') return { bi: String(v) };
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0) ? v : { v: Object.is(v, -0) ? '-0' : String(v) };
    if (seen.has(v)) return { ref: seen.get(v) };
    const id = seen.size + 1;
    seen.set(v, id);
    if (v instanceof Date) return { d: Number.isNaN(v.getTime()) ? 'Invalid Date' : v.toISOString() };
    if (v instanceof RegExp) return { r: { p: v.source, f: v.flags } };
    if (v instanceof Error) return { e: { n: v.name, m: v.message, s: String(v.stack ?? '') } };
    if (v instanceof ArrayBuffer) return { ab: { b: toBase64(v) } };
    if (v instanceof DataView) return { dv: { b: toBase64(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)) } };
    if (ArrayBuffer.isView(v)) {
      const kind = Object.keys(arrays).find((k) => v instanceof arrays[k]);
      if (!kind) throw new Cannot(`holds ${kindOf(v)}`);
      return { ta: { b: toBase64(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)), k: kind } };
    }
    if (v instanceof Blob) {
      const blob = { b: toBase64(await v.arrayBuffer()), t: v.type };
      return v instanceof File ? { file: { ...blob, n: v.name, lm: v.lastModified } } : { blob };
    }
    const all = async (items) => {
      const out = [];
      for (const item of items) out.push(await encode(item, seen));
      return out;
    };
    if (v instanceof Map) {
      const map = [];
      for (const pair of v) map.push(await all(pair));
      return { map, id };
    }
    if (v instanceof Set) return { set: await all(v), id };
    if (Array.isArray(v)) return { a: await all(v), id };
    if (Object.getPrototypeOf(v) !== Object.prototype) throw new Cannot(`holds ${kindOf(v)}`);
    const o = [];
    for (const k of Object.keys(v)) o.push({ k, v: await encode(v[k], seen) });
    return { o, id };
  }
  const kindOf = (v) => Object.prototype.toString.call(v).slice(8, -1);

  function decode(x, seen = new Map()) {
    if (x === null || typeof x !== 'object') return x;
    const made = (v) => {
      if (x.id !== undefined) seen.set(x.id, v);
      return v;
    };
    if ('ref' in x) {
      if (!seen.has(x.ref)) throw new Cannot(`refers to ${x.ref}, which is nothing`);
      return seen.get(x.ref);
    }
    if ('v' in x) return x.v === 'null' ? null : x.v === 'undefined' ? undefined : special[x.v];
    if ('d' in x) return new Date(x.d);
    if ('u' in x) return x.u; // a URL, which no database can hold
    if ('bi' in x) return BigInt(x.bi);
    if ('r' in x) return new RegExp(x.r.p, x.r.f);
    if ('e' in x) return Object.assign(new ({ TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError }[x.e.n] ?? Error)(x.e.m), { stack: x.e.s });
    if ('ab' in x) return fromBase64(x.ab.b).buffer;
    if ('dv' in x) return new DataView(fromBase64(x.dv.b).buffer);
    if ('ta' in x) return new arrays[x.ta.k](fromBase64(x.ta.b).buffer);
    if ('blob' in x) return new Blob([fromBase64(x.blob.b)], { type: x.blob.t });
    if ('file' in x) return new File([fromBase64(x.file.b)], x.file.n, { type: x.file.t, lastModified: x.file.lm });
    if ('a' in x) {
      const list = made([]);
      for (const item of x.a) list.push(decode(item, seen));
      return list;
    }
    if ('set' in x) {
      const set = made(new Set());
      for (const item of x.set) set.add(decode(item, seen));
      return set;
    }
    if ('map' in x) {
      const map = made(new Map());
      for (const [k, v] of x.map) map.set(decode(k, seen), decode(v, seen));
      return map;
    }
    if ('o' in x) {
      const object = made({});
      for (const { k, v } of x.o) Object.defineProperty(object, k, { value: decode(v, seen), writable: true, enumerable: true, configurable: true });
      return object;
    }
    throw new Cannot(`has the unknown form {${Object.keys(x)}}`);
  }

  const items = (area) => Object.keys(area).map((name) => ({ name, value: area.getItem(name) }));

  function put(area, list) {
    for (const { name, value } of list) {
      area.setItem(name, value);
      if (area.getItem(name) !== value) throw new Cannot(`${JSON.stringify(name)} does not hold what was set`);
    }
    return list.length;
  }

  // open opens a database as it is, or in a version, for which upgrade prepares it.
  function open(name, version, upgrade) {
    const request = version === undefined ? indexedDB.open(name) : indexedDB.open(name, version);
    return new Promise((done, fail) => {
      request.onupgradeneeded = () => {
        try {
          if (!upgrade) throw new Cannot('was removed meanwhile');
          upgrade(request.result, request.transaction);
        } catch (e) {
          request.onerror = (event) => {
            event.preventDefault();
            fail(e);
          };
          request.transaction.abort();
        }
      };
      request.onblocked = () => fail(new Cannot('is open in a page, which keeps it from being changed'));
      request.onsuccess = () => done(request.result);
      request.onerror = (event) => {
        event.preventDefault();
        fail(request.error);
      };
    });
  }

  async function readDatabase({ name, version }, left, spend) {
    const db = await open(name);
    const stores = [];
    try {
      for (const storeName of db.objectStoreNames) {
        const store = db.transaction(storeName, 'readonly').objectStore(storeName);
        const one = { name: storeName, ...pathOf(store), autoIncrement: store.autoIncrement, indexes: [], records: [] };
        for (const indexName of store.indexNames) {
          const index = store.index(indexName);
          one.indexes.push({ name: indexName, ...pathOf(index), unique: index.unique, multiEntry: index.multiEntry });
        }
        const outside = store.keyPath === null;
        const [keys, values] = await Promise.all([wait(store.getAllKeys()), wait(store.getAll())]);
        for (let i = 0; i < keys.length; i++) {
          const record = {};
          try {
            if (outside && isPlain(keys[i])) record.key = keys[i];
            else if (outside) record.keyEncoded = await encode(keys[i]);
            if (isPlain(values[i])) record.value = values[i];
            else record.valueEncoded = await encode(values[i]);
          } catch (e) {
            left.push({ place: `the record ${shown(keys[i])} of ${name}/${storeName}`, why: e.message });
            continue;
          }
          spend(record);
          one.records.push(record);
        }
        stores.push(one);
      }
    } finally {
      db.close();
    }
    return { name, version, stores };
  }
  const pathOf = ({ keyPath }) => (keyPath === null ? {} : typeof keyPath === 'string' ? { keyPath } : { keyPathArray: [...keyPath] });
  const shown = (key) => (typeof key === 'string' || typeof key === 'number' ? JSON.stringify(key).slice(0, 100) : kindOf(key));

  async function read({ limit }) {
    const left = [];
    const spend = (what) => {
      limit -= JSON.stringify(what).length;
      if (limit < 0) throw new Cannot('is larger than may be exported');
    };
    const local = items(localStorage);
    spend(local);
    const databases = [];
    for (const info of await indexedDB.databases()) {
      try {
        databases.push(await readDatabase(info, left, spend));
      } catch (e) {
        if (limit < 0) throw e;
        left.push({ place: `the database ${info.name}`, why: e.message });
      }
    }
    return { localStorage: local, indexedDB: databases, left };
  }

  async function writeDatabase(db) {
    const here = (await indexedDB.databases()).find((known) => known.name === db.name);
    if (here && here.version > db.version) throw new Cannot(`has the version ${here.version}, newer than ${db.version} in the state`);
    const base = await open(db.name, db.version, (fresh, tx) => {
      for (const s of db.stores) {
        const store = fresh.objectStoreNames.contains(s.name) ? tx.objectStore(s.name)
          : fresh.createObjectStore(s.name, { keyPath: s.keyPathArray ?? s.keyPath ?? null, autoIncrement: !!s.autoIncrement });
        for (const i of s.indexes ?? []) {
          if (!store.indexNames.contains(i.name)) store.createIndex(i.name, i.keyPathArray ?? i.keyPath ?? '', { unique: !!i.unique, multiEntry: !!i.multiEntry });
        }
      }
    });
    let records = 0;
    try {
      for (const s of db.stores) {
        if (!base.objectStoreNames.contains(s.name)) throw new Cannot(`has no store ${s.name}`);
        const tx = base.transaction(s.name, 'readwrite'), store = tx.objectStore(s.name);
        const done = ended(tx);
        try {
          for (const r of s.records ?? []) {
            const value = 'value' in r ? r.value : decode(r.valueEncoded);
            const key = 'key' in r ? r.key : decode(r.keyEncoded);
            wait(store.keyPath === null && key !== undefined ? store.put(value, key) : store.put(value)).catch(() => tx.abort());
            records++;
          }
        } catch (e) {
          done.catch(() => {});
          tx.abort();
          throw e;
        }
        await done;
        const kept = await wait(base.transaction(s.name, 'readonly').objectStore(s.name).count());
        if (kept < (s.records ?? []).length) throw new Cannot(`keeps ${kept} of ${s.records.length} records in ${s.name}`);
      }
    } finally {
      base.close();
    }
    return records;
  }

  async function write(state) {
    const out = { items: put(localStorage, state.localStorage ?? []), databases: 0, records: 0 };
    for (const db of state.indexedDB ?? []) {
      try {
        out.records += await writeDatabase(db);
        out.databases++;
      } catch (e) {
        throw new Cannot(`the database ${db.name} ${e instanceof Cannot ? e.message : `could not be written: ${e.message}`}`);
      }
    }
    return out;
  }

  function item({ act, area, name, value }) {
    const store = area === 'session' ? sessionStorage : localStorage;
    const had = name !== undefined && store.getItem(name) !== null, count = store.length;
    if (act === 'get') return { value: store.getItem(name) };
    if (act === 'set') return { items: put(store, [{ name, value }]) };
    if (act === 'remove') {
      store.removeItem(name);
      return { removed: had ? 1 : 0 };
    }
    store.clear();
    return { removed: count };
  }

  const methods = {
    read, write, item,
    session: () => items(sessionStorage),
    setSession: (list) => put(sessionStorage, list),
  };
  try {
    return JSON.stringify({ ok: await methods[method](arg) });
  } catch (e) {
    return JSON.stringify({ error: e.message });
  }
}
