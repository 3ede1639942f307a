// Installing: the functions that the Go side calls. The object is the isolated
// world's own property: an element of the page with that id cannot stand in for it.

guard(window);

Object.defineProperty(globalThis, '__action', {
  value: Object.freeze({ act, tree, numbered, handIn, pressed, held, find, is, extract, waitText, waitStable, info, versionFrom, cancel, at, through, frameAt, hovered, typed,
    scrollPage, scrolled, more, grabPoint, grip, letGo }),
});
