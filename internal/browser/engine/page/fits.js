// Whether a button does what its dialog asks, as far as its words show. That a button is styled as
// the main one proves nothing if the question names one action and the button another.

import { checkVisibility } from './depth.js';
import { TEXT, dataOf, isElement, typeOf } from './dom.js';
import { addsMore, asksToEnd, goesBeyond, saysAll, saysGoesOn } from './exceeds.js';
import { byCSS, flatKids } from './flat.js';
import { spaced } from './names.js';
import { isObject, isUnasked, takesTotal } from './object.js';
import { NO_STATEMENT, affirmed, notListed, questionAround, repeats } from './repeats.js';
import { UNSPACED, askedWords, hasWord, isFormOf, isUndone } from './stems.js';
import { SHOWN, fold, readable } from './text.js';
import { isTold, isUrged } from './told.js';
import { ASKS, PAST, SENTENCE, SURE, areAlike, areContrary, isOfSense, isSmall, phrased, verbIn } from './verbs.js';
import { isVisible } from './visible.js';

// fitOf compares a button with the title and questions of its dialog. It returns 'does' if the
// button names what they ask for, by the verb or one of the same meaning; 'denied' if it does what
// they exclude ("Save and leave" for "Leave without saving?"); 'contrary' if it does the opposite,
// or continues what they are about to end; 'beyond' if it has the verb but an object of its own;
// or the total of which they ask for a part; 'object' if they speak of it only as of what is undone,
// stopped or named ("Restore deleted files?"); 'more' if it does another thing too; 'other' if it
// names something else; 'unasked' if there is no question and no text that speaks of it; 'told' if it
// is only said to happen by itself; 'urged' if a sentence tells the user to do it; and null if they
// ask for nothing.
export function fitOf(el) {
  const q = questionAround(el, 1);
  if (!q) return null;
  const own = readable(el), verbs = verbsIn(own, q.text + own), fit = fitIn(el, q, own, verbs);
  if (fit !== 'does' && fit !== null) return fit;
  const lines = linesBeside(q.box, new Set(q.all));
  if (isTold(verbs, q.titles, lines, hasContent)) return 'told';
  return isUrged(verbs, lines) ? 'urged' : fit;
}

function fitIn(el, q, own, verbs) {
  const lines = [...q.titles, ...q.questions];
  if (takesTotal(own, lines, [...q.titles, q.text].join('. '), saysAll)) return 'beyond';
  if (isObject(verbs, lines.map((s) => affirmed(s, true)))) return 'object';
  const isUnsaid = !lines.some((s) => ASKS.test(s.trim())) && isUnasked(verbs, lines, [...q.titles, q.text].join('. '));
  if (q.buttons.length < 2) return isUnsaid ? 'unasked' : null;
  const asked = [...q.titles.map((s) => affirmed(s, /[?？؟]/u.test(s))), ...q.questions.map((s) => affirmed(s, true))];
  const has = (verb, list) => list.some((s) => hasWord(verb, phrased(s)));
  if (affirmed(own, true) === own && verbs.some((verb) => has(verb, lines) && !has(verb, asked))) return 'denied';
  const isRepeated = lines.some((s) => repeats(el, notListed(s, el)));
  if (isRepeated && !UNSPACED.test(own.trim())) return 'does';
  const questions = linesBeside(q.box, new Set(q.all)).flatMap((line) => line.match(SENTENCE) ?? []).filter((s) => ASKS.test(s));
  questions.push(...q.titles.filter((s) => /[?？؟]/u.test(s) && !questions.includes(s)));
  const wanted = questions.flatMap((s) => verbsAsked(affirmed(s, true))), heads = q.titles.map((s) => verbIn(phrased(s), q.text)).filter((verb) => !PAST.test(verb));
  const last = askedWords(own).at(-1);
  const isTitled = !questions.length && heads.length > 0 && !byCSS([q.box], NO_STATEMENT).some((f) => isVisible(f) && !q.all.includes(f));
  const alike = [...new Set([...verbs.filter((verb) => has(verb, asked)), ...[...wanted, ...heads].filter((other) => verbs.some((verb) => isFormOf(verb, other) || areAlike(verb, other)) || (other === last && /e[rl]?n$/u.test(last)))])];
  if (questions.length || isTitled) {
    if (alike.length && goesBeyond(own, verbs, alike, asked, q)) return 'beyond';
    if (addsMore(el, own, [...wanted, ...heads], asked, q)) return 'more';
  }
  if (isRepeated) return 'does';
  if (saysGoesOn(own) && asksToEnd(questions, q.titles)) return 'contrary';
  const asks = [...questions.flatMap((s) => askedWords(phrased(affirmed(s, true)))), ...heads];
  if (askedWords(phrased(own)).some((word) => !has(word, asked) && asks.some((other) => isUndone(word, other) || isUndone(other, word)))) return 'contrary';
  const done = verbs.filter((verb) => has(verb, asked) || [...wanted, ...heads].some((other) => areAlike(verb, other)));
  if (done.length) return verbs.some((verb) => !done.includes(verb) && isOfSense(verb, 'destroy')) ? 'denied' : 'does';
  if (verbs.some((verb) => wanted.some((other) => areContrary(verb, other)))) return 'contrary';
  if (!questions.some(hasContent) && verbs.some((verb) => heads.some((other) => areContrary(verb, other, 'keep')) && !q.titles.every((s) => NOUN.test(s)))) return 'contrary';
  return asksForSomething(questions, heads) ? 'other' : isUnsaid ? 'unasked' : null;
}

const NOUN = /^\s*\S*\s*$|^\s*\p{L}+\s(?:of|von|vom|der|des|du|de|del|della|do|da)\s/iu; // a title without a verb: Trash, End of trial

// linesBeside returns the text of an element without that of the elements in aside, one line per
// block.
function linesBeside(el, aside) {
  const lines = [''];
  const read = (n) => {
    for (const kid of flatKids(n)) {
      if (typeOf(kid) === TEXT) lines[lines.length - 1] += dataOf(kid);
      else if (isElement(kid) && !aside.has(kid) && checkVisibility(kid, SHOWN)) {
        const apart = spaced(kid, '') !== '';
        if (apart) lines.push('');
        read(kid);
        if (apart) lines.push('');
      }
    }
  };
  read(el);
  return lines.map(fold).filter(Boolean);
}

// asksForSomething reports whether a question names an action, and does not only ask whether one is
// sure, or whether a title beside a question begins with a verb that is not a noun as well. A
// question of who, what or when is not answered by yes or no.
function asksForSomething(questions, heads) {
  if (questions.some((s) => WH.test(s))) return false;
  return questions.some(hasContent) || (questions.length > 0 && heads.some((verb) => isOfSense(verb, 'keep', 'destroy', 'enable', 'disable', 'approve', 'reject')));
}

const WH = /^[¿\s]*(who|whom|whose|what|which|where|when|why|how|wer|wen|wem|was|welche\p{L}*|wo|wann|warum|wie|qui|que|quoi|quel\p{L}*|où|quand|pourquoi|comment|combien|quién|qué|cuál|dónde|cuándo|cómo|cuánto\p{L}*|chi|quale|dove|quando|perché|quanto|quem|qual|onde|wat|welke|waar|wanneer|waarom|hoe|vad|vem|hvad|hvem|hva|кто|что|какой|где|когда|сколько|kto|co|gdzie|kiedy|jak|ile)(?![\p{L}\p{M}])|^(什么|哪|谁|何|どの|どこ|誰|いつ)/iu;
const AND = /\s(?:and|und|et|y|e|og|och|и|oraz|ve|és|și|và|dan)\s|\s*[&+＋＆]\s*|并|並|且|して(?=.)|하고\s/u;

// verbsIn returns the verbs of a text, one of each part that "and" joins: the first word that is
// not a small word, or the last one in languages that put the verb there, which the text around it
// shows.
function verbsIn(text, around) {
  return phrased(text).split(AND).map((part) => verbIn(part, around)).filter(Boolean);
}

// verbsAsked returns the possible verbs of a question: the first word that is not a small word, and
// the last one if it looks like an infinitive.
function verbsAsked(sentence) {
  return phrased(sentence).split(AND).flatMap((part) => {
    const words = askedWords(part).filter((word) => !isSmall(word));
    return UNSPACED.test(part.trim()) ? [verbIn(part, '')] : [words[0], ...words.slice(1).slice(-1).filter((word) => /e?[rl]?n$/u.test(word))].filter(Boolean);
  });
}

function hasContent(sentence) {
  return askedWords(phrased(sentence)).some((word) => {
    if (UNSPACED.test(word)) return (word.replace(SURE, '').match(/\p{L}/gu) ?? []).length > 1;
    return word.length > 2 && !/^\p{N}/u.test(word) && !isSmall(word);
  });
}
