// The entry of the bundle: what boot.js calls, and the functions that the Go side calls.

import { act } from './act.js';
import { awaitChange, calm, timersOf } from './after.js';
import { refusesFiles } from './answers.js';
import { handIn } from './dom.js';
import { grabPoint, grip, letGo, onDrag, onDragChange } from './drag.js';
import { beginNote, caused } from './effect.js';
import { dropFiles, filesFor, filesGiven, filesShown, takeFiles, takesDrop, watchDrop } from './files.js';
import { frameAt } from './frames.js';
import { dropped, missed, pressed } from './guard.js';
import { onForm, onPress } from './heard.js';
import { held } from './held.js';
import { info } from './host.js';
import { excuse, forget } from './kept.js';
import { numbered } from './numbers.js';
import { hovered } from './ops.js';
import { cancel } from './poll.js';
import { previewAt } from './preview.js';
import { at, count, extract, find, is, looks, looksInFrame, versionFrom } from './queries.js';
import { commit, filesKept, lookAround, lost, reverted } from './reverts.js';
import { more, scrollPage, scrolled } from './scroll.js';
import { through } from './through.js';
import { tree } from './tree.js';
import { nextFrame } from './turns.js';
import { typed } from './typing.js';
import { drawnLate } from './undrawn.js';
import { tell } from './verdicts.js';
import { waitStable, waitText } from './wait.js';
import { inputSeen, watchInput } from './watch.js';

export { onPress, onForm, onDrag, onDragChange };

export const api = Object.freeze({
  act, at, awaitChange, beginNote, calm, cancel, caused, commit, count, drawnLate, dropFiles, dropped, excuse, extract, filesFor, filesGiven, filesKept,
  filesShown, find, forget, frameAt, grabPoint, grip, handIn, held, hovered, info, inputSeen, is, letGo, lookAround, looks, looksInFrame,
  lost, missed, more, nextFrame, numbered, pressed, previewAt, refusesFiles, reverted, scrollPage, scrolled, takeFiles, takesDrop, tell, through,
  timersOf, tree, typed, versionFrom, waitStable, waitText, watchDrop, watchInput,
});
