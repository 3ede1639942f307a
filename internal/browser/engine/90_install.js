// What make gives: what boot.js calls, and the functions that the Go side calls.

return {
  onPress, onForm, onDrag, onDragChange,
  api: Object.freeze({ act, tree, numbered, tell, handIn, pressed, dropped, watchInput, inputSeen, held, find, count, is, looks, looksInFrame, extract, waitText, waitStable, beginNote, caused, awaitChange, calm, timersOf, commit, info, versionFrom, cancel, at, through, frameAt, hovered, typed,
    scrollPage, scrolled, more, grabPoint, grip, letGo, takeFiles, watchDrop, filesFor, dropFiles, filesGiven, filesShown, refusesFiles, filesKept, takesDrop, excuse, forget, lookAround, reverted, lost, nextFrame, missed }),
};
