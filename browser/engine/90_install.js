// Installing: the functions that the Go side calls. The object is the isolated
// world's own property: an element of the page with that id cannot stand in for it.
// The world of a blank tab that another page has opened goes on with its first
// document, without the listeners of before: everything is then installed anew.

guard(window);

// The page tells of itself when its load event is over: see browser/arrival.go.
if (typeof __arrived === 'function' && window === top) {
  listen(window, 'pageshow', () => __arrived(JSON.stringify(info())), { capture: true, once: true });
}

Object.defineProperty(globalThis, '__action', {
  configurable: true,
  value: Object.freeze({ act, tree, numbered, tell, handIn, pressed, dropped, held, find, count, is, extract, waitText, waitStable, info, versionFrom, cancel, at, through, frameAt, hovered, typed,
    scrollPage, scrolled, more, grabPoint, grip, letGo, takeFiles, filesFor, dropFiles, filesGiven, takesDrop, nextFrame, missed, document }),
});
