// under: finds the items of a tree or menu that are one level below another item, however the page
// nests them.

import { TEXT, attr, dataOf, hasAttr, isElement, isTag, matches, previousElement, rectOf, rootElementOf, styleOf, typeOf } from './dom.js';
import { byCSS, flatKids, inOrder, isInside, nearest, up } from './flat.js';
import { spend } from './limits.js';
import { referenced } from './names.js';

// nodesUnder returns the nodes whose parent is in the list "within". The function "find" returns
// the nodes in a list of elements. An element of the list "within" that is not a node is a tree:
// its children are the nodes without a parent in it.
export function nodesUnder(within, find) {
  const els = within.map((n) => (isElement(n) ? n : rootElementOf(n))).filter(Boolean), from = new Set(els);
  const nodes = inOrder([...new Set(find(els))]);
  const isNode = new Set(nodes), parentNode = parentNodes(nodes, isNode);
  const trees = els.filter((el) => !isNode.has(el));
  return nodes.filter((node) => {
    const parent = parentNode(node);
    if (parent && from.has(parent)) return true;
    return trees.some((tree) => isInside(node, tree) && !(parent && isInside(parent, tree)));
  });
}

// parentNodes returns a function that returns the parent of a node: the node that is around it or
// before its group, or that owns or controls it. In a flat list, it is the nearest node before it
// that is less indented.
function parentNodes(nodes, isNode) {
  const lists = new Map(), flat = new Map();
  const owners = new Map();
  for (const node of nodes) for (const name of ['aria-controls', 'aria-owns']) for (const el of hasAttr(node, name) ? referenced(node, name) : []) owners.set(el, node);
  const nested = (node) => {
    for (let n = node, around = up(n); around; n = around, around = up(n)) {
      spend();
      if (owners.has(n) && owners.get(n) !== node) return owners.get(n);
      if (n !== node && matches(n, NODE_GROUPS)) {
        const before = nodeBefore(n, isNode);
        if (before) return before;
      }
      if (isNode.has(around)) return around;
    }
    return null;
  };
  for (const node of nodes) {
    const around = nested(node);
    flat.set(node, around);
    if (around) continue;
    const list = nearest(up(node), NODE_LISTS) ?? up(node);
    if (!lists.has(list)) lists.set(list, []);
    lists.get(list).push(node);
  }
  const parents = new Set(flat.values());
  for (const list of lists.values()) {
    if (list.some((node) => parents.has(node))) continue; // the list is nested
    const levels = depthsOf(list), way = [];
    list.forEach((node, i) => {
      while (way.length && levels[way.at(-1)] >= levels[i]) way.pop();
      if (way.length) flat.set(node, list[way.at(-1)]);
      if (attr(node, 'aria-expanded') !== 'false') way.push(i);
    });
  }
  return (node) => flat.get(node);
}

const NODE_GROUPS = 'ul,ol,[role=group],[role=menu],[role=list]';
const NODE_LISTS = '[role=tree],[role=treegrid],[role=listbox],[role=menu],[role=menubar],table,ul,ol';

// nodeBefore returns the one node that the sibling before a group is or contains. If the group is
// the first child of a box, it returns the sibling before that box.
function nodeBefore(group, isNode) {
  let box = group;
  while (box && !previousElement(box)) box = up(box);
  const before = box && previousElement(box);
  if (!before || isNode.has(before)) return before;
  if (box !== group) return null;
  const held = byCSS([before], '*').filter((el) => isNode.has(el));
  return held.length === 1 ? held[0] : null;
}

// depthsOf returns the depth of each node of a list: its aria-level if all have one, or its
// indentation, in steps larger than padding, if the nodes are drawn one below the other.
function depthsOf(list) {
  const said = list.map((node) => Number.parseInt(attr(node, 'aria-level') ?? '', 10));
  if (said.every((n) => n > 0)) return said;
  const tops = list.map((node) => rectOf(node)).filter((box) => box.width > 0 && box.height > 0).map((box) => box.top);
  if (tops.some((top, i) => i > 0 && top < tops[i - 1] + 2)) return list.map(() => 0);
  const steps = [];
  return list.map(insetOf).map((inset) => {
    const near = steps.find((step) => Math.abs(step - inset) <= 8);
    if (near === undefined) steps.push(inset);
    return near ?? inset;
  });
}

// insetOf returns the distance of the first thing that a node shows from the side where lines
// begin.
function insetOf(node) {
  const rtl = styleOf(node).direction === 'rtl';
  const start = (box) => (rtl ? -box.right : box.left);
  let at = start(rectOf(node));
  for (let n = node; n; ) {
    const css = styleOf(n), first = [...flatKids(n)].find(showsFirst);
    at += Number.parseFloat(rtl ? css.paddingRight : css.paddingLeft) || 0;
    if (!first || typeOf(first) === TEXT) return at;
    if (start(rectOf(first)) > at + 1) return start(rectOf(first));
    n = first;
  }
  return at;
}

const showsFirst = (n) => (typeOf(n) === TEXT ? dataOf(n).trim() !== '' : isElement(n) && attr(n, 'aria-hidden') !== 'true' && rectOf(n).width > 0 && !isSpacer(n));

// isSpacer reports whether el contains only boxes without a height, which indent what follows.
function isSpacer(el) {
  const kids = [...flatKids(el)].filter((kid) => isElement(kid) || (typeOf(kid) === TEXT && dataOf(kid).trim() !== ''));
  return kids.length ? kids.every((kid) => isElement(kid) && isSpacer(kid)) : isTag(el, 'div', 'span') && rectOf(el).height === 0;
}
