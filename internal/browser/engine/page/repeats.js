// Whether a button repeats the question of its dialog, in any language.

import { matches, styleOf } from './dom.js';
import { byCSS, up } from './flat.js';
import { ariaLabels } from './labels.js';
import { DIALOGS } from './roles.js';
import { NO_WORD, UNSPACED, askedWords, hasWord } from './stems.js';
import { textBeside } from './table.js';
import { fold, readable, textOf } from './text.js';
import { isVisible } from './visible.js';

const ANSWERS = 'button,summary,input:is([type=button],[type=submit],[type=reset],[type=image]),a[href],[role=button],[role=link]';
const TITLES = 'h1,h2,h3,h4,h5,h6,[role=heading]';
export const NO_STATEMENT = 'input,select,textarea,table,ul,ol,[role=table],[role=grid],[role=list]';
const LONGEST_STATEMENT = 300; // characters; a longer text is not a question to answer

// askedAs returns how the dialog of a button repeats all words of the button outside of its
// buttons: 'asked' in its title or a question, 'denied' if they only follow a word such as
// "without" there, 'said' in another sentence, else null. If the title or a question repeats any
// button, other sentences do not count: "Press Cancel to go back" asks nothing. A dialog with a
// single button returns null too.
export function askedAs(el) {
  const q = questionAround(el);
  if (!q) return null;
  const isAsked = (b) => [...q.titles, ...q.questions].some((s) => repeats(b, notListed(s, b)));
  if (isAsked(el)) return isDenied(el, q.titles, q.questions) ? 'denied' : 'asked';
  if (q.text.length > LONGEST_STATEMENT || byCSS([q.box], NO_STATEMENT).some((f) => isVisible(f) && !q.all.includes(f)) || q.buttons.some(isAsked)) return null;
  return q.others.some((s) => repeats(el, nothingNamed(s, el))) ? 'said' : null;
}

// sharesAsked returns true if the title or a question of the dialog around a button has one of the
// button's words in some form, apart from small words such as "all", else null.
export function sharesAsked(el) {
  const q = questionAround(el);
  const words = askedWords(readable(el)).filter((word) => word.length > 3 || UNSPACED.test(word));
  return q && [...q.titles, ...q.questions].some((s) => words.some((word) => hasWord(word, s))) ? true : null;
}

// questionAround returns the dialog of a button: its buttons, its titles (or the sentence that it
// begins with), its questions and its other sentences. It returns null if there is no dialog, or
// fewer than least buttons.
export function questionAround(el, least = 2) {
  const box = boxAround(el);
  if (!box) return null;
  const all = byCSS([box], ANSWERS), buttons = all.filter((b) => isVisible(b) && askedWords(readable(b)).length);
  if (buttons.length < least) return null;
  const text = fold(textBeside(box, new Set(all))), titles = titlesOf(box);
  const sentences = text.match(/[^.!?。！？؟;；]+[.!?。！？؟;；]*/gu) ?? [];
  const questions = sentences.filter((s) => /[?？؟;；]|吗|嗎|か。/u.test(s)), others = sentences.filter((s) => !questions.includes(s));
  if (!titles.length && others[0] === sentences[0]) titles.push(nothingNamed(others[0] ?? '', el));
  return { box, all, buttons, text, titles, questions, others };
}

// boxAround returns the dialog of a button, or the positioned box around it that has other words,
// or null.
function boxAround(el) {
  let over = null;
  for (let n = up(el); n; n = up(n)) {
    if (matches(n, DIALOGS)) return n;
    if (!over && /absolute|fixed/.test(styleOf(n).position) && askedWords(textBeside(n, new Set(byCSS([n], ANSWERS)))).length) over = n;
  }
  return over;
}

function titlesOf(box) {
  const titles = [...byCSS([box], TITLES).filter(isVisible).map(textOf), ...ariaLabels(box)];
  return titles.filter(Boolean);
}

// isDenied reports whether the titles and questions of a dialog repeat a button only where they
// deny it: "Close without saving?" does not ask to save. A button that denies something itself does
// not count.
function isDenied(el, titles, questions) {
  if (affirmed(readable(el), true) !== readable(el) || DENIES_JAPANESE.test(readable(el))) return false;
  const lists = [...titles.map((s) => affirmed(s, /[?？]/u.test(s))), ...questions.map((s) => affirmed(s, true))];
  return !lists.some((s) => repeats(el, notListed(s, el)));
}

// In English, what is denied follows the word to the end of the clause; in German and Dutch it is
// the next words.
const CLAUSE = '[^,;:.?!？]*?(?=$|[,;:.?!？]|\\s(?:or|oder|ou)\\s)';
const WITHOUT = new RegExp('(?<![\\p{L}\\p{M}])(?:(?:without|sans|sin|senza|sem|bez|без|utan|uden|uten|fără|χωρίς|بدون|دون|בלי|ללא|מבלי|tanpa|mà không)(?![\\p{L}\\p{M}])' + CLAUSE + '|(?:ohne|zonder)\\s(?:[^,;:.?!？]*?\\s(?:zu|te)\\s)?\\p{L}+)', 'giu');
const NOT = new RegExp("(?<![\\p{L}\\p{M}])(?:(?:(?:do|does|did|wo|ca)n['’]t|not)(?![\\p{L}\\p{M}])" + CLAUSE + '|(?:nicht|niet|не)\\s\\p{L}+)', 'giu');
const NOT_CHINESE = /(.?)(?:不|未|没有?|沒有?)(\p{sc=Han}{0,2})/gu;
const NOT_JAPANESE = /[\p{sc=Han}\p{sc=Kana}ー]+\p{sc=Hira}?(?:ずに?|ないで)|\p{sc=Hang}+지\s?(?:않고|말고)|\p{sc=Hang}+\s없이|\p{L}+\snélkül(?!\p{L})|\p{L}{2,}m[ae]d[ae]n(?!\p{L})|\p{L}{3,}m[aä]tt[aä](?!\p{L})|โดยไม่\p{sc=Thai}{0,8}/giu;

// affirmed returns a sentence without what it denies. What follows a plain "not" is removed only
// from a question.
export function affirmed(sentence, isQuestion) {
  const rest = sentence.replace(WITHOUT, ' ').replace(NOT_JAPANESE, ' ');
  return !isQuestion ? rest : rest.replace(NOT, ' ').replace(NOT_CHINESE, (all, before, after) => (before && after.startsWith(before) ? all : before + ' '));
}

// nothingNamed returns a sentence without the capitalised words that name the button.
function nothingNamed(sentence, el) {
  const names = new Set(readable(el).split(NO_WORD).filter((word) => /^\p{Lu}/u.test(word)));
  return sentence.trim().split(NO_WORD).filter((word, i) => i === 0 || !names.has(word)).join(' ');
}

// notListed returns a sentence without the clauses that consist only of the button's name, as the
// button writes it: "Cancel, or OK?" asks about neither.
export function notListed(sentence, el) {
  const clauses = sentence.split(/[,，、]/), name = fold(readable(el)).trim();
  return clauses.length < 2 ? sentence : clauses.filter((c) => fold(c).replace(/[\p{P}\s]+$/u, '').trim() !== name).join(' ');
}

// repeats reports whether a sentence has all words of a button.
export function repeats(el, sentence) {
  const words = askedWords(readable(el).replace(/(?<=[\p{sc=Han}\p{sc=Kana}ー])を/gu, ','));
  if (words.some((word) => DENIES_JAPANESE.test(word)) && !DENIED_JAPANESE.test(sentence)) return false;
  return words.length > 0 && words.every((word) => hasWord(word, sentence));
}

// 保存しない repeats 保存しないで閉じますか？ but not 保存しますか？
const DENIES_JAPANESE = /(?:[しさ]ない|せず)$/u, DENIED_JAPANESE = /ない|(?:せ|[らわま])ず|ません(?!か)/u;
