// Whether two words are forms of one word, in any language. Words are compared by their beginnings,
// because verbs are inflected at the end.

import { INVISIBLE, fold } from './text.js';

export const NO_WORD = /[^\p{L}\p{M}\p{N}]+/u;
const ACCENTED = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]/gu;
export const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u;

const PREFIXED = /^[\p{sc=Hebr}\p{sc=Arab}]/u; // in these scripts, "to" and "the" are written as part of the word

// folded is fold, but keeps the spaces between Korean words.
export const folded = (text) => (/\p{sc=Hang}/u.test(text) ? text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim() : fold(text));
export const askedWords = (text) => plainLetters(folded(text)).split(NO_WORD).filter(Boolean);
const STROKES = { ł: 'l', đ: 'd', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };
export const plainLetters = (text) => text.normalize('NFC').toLowerCase().replace(/\u0307/gu, '').replace(ACCENTED, (c) => STROKES[c] ?? c.normalize('NFD')[0]);

export function hasWord(word, sentence) {
  return UNSPACED.test(word) ? hasStem(word, plainLetters(fold(sentence))) : askedWords(sentence).some((other) => isFormOf(word, other));
}

// hasStem reports whether a text without spaces contains the beginning of a word.
function hasStem(word, text) {
  const [, kanji] = /^(\p{sc=Han}+)\p{sc=Hira}{1,2}$/u.exec(word) ?? [];
  if (kanji && new RegExp(kanji + '\\p{sc=Hira}', 'u').test(text)) return true;
  const chars = [...word], least = /^[\p{sc=Han}\p{sc=Hang}]/u.test(word) ? 2 : Math.max(2, Math.ceil(chars.length * 0.6));
  const stem = chars.slice(0, least).join('');
  return chars.length > 1 && (text.includes(word) && !TAKEN_BACK.test(word) ? text.replace(TAKEN_BACK, '') : text).includes(stem);
}

// Words that reverse the word beside them: 取消关注 is not 关注, ロック解除 is not ロック.
const TAKEN_BACK = /(?:取消|解除|撤销|撤銷|停止|不再)\p{sc=Han}{2}(?!\p{sc=Hira})|[\p{sc=Han}\p{sc=Kana}ー]+[をの]?(?:解除|取り?消)|\p{sc=Hang}+\s?(?:해제|취소)/u;

// isFormOf reports whether two words may be forms of one: delete and deleting.
export function isFormOf(word, other) {
  if (/^\p{N}+$/u.test(word)) return word === other;
  if (word === other || (word.length > 4 && other.includes(word) && !isUndone(other, word))) return true;
  if (PREFIXED.test(word)) return (word.length > 2 && other.endsWith(word)) || haveOneRoot(word, other);
  if (STEMS.some((stem) => stem.test(word) && stem.test(other))) return true;
  if (other.length > 5 && word.endsWith('en') && /(?:en|e?[td])$/u.test(other) && infinitive(other).some((form) => isStrong(word, form))) return true;
  let same = 0;
  while (same < word.length && word[same] === other[same]) same++;
  if (word.length > 4) return same >= Math.max(4, Math.ceil(word.length * 0.6)) || (same === other.length && same > 3);
  return word.length > 2 && same >= word.length - (word.length > 3 && /[ey]$/.test(word) ? 1 : 0) && other.length <= word.length + 3;
}

// infinitive returns the possible infinitives of a German or Dutch participle, apart from their
// vowels: abgebrochen, gelöscht, abzubrechen.
const SPLIT = /^((?:ab|an|auf|aus|bei|ein|fort|frei|her|hin|los|mit|nach|um|vor|weg|zu|zuruck|op|af|in|uit|weg|door)?)(?:ge|zu|te)(?=\p{L}{4})/u;
const infinitive = (word) => (SPLIT.test(word) ? [word.replace(SPLIT, '$1')] : [word]);
const withoutVowels = (word) => word.replace(/(?:en|e?[td])$/u, '').replace(/[aeiou]/gu, '');
const isStrong = (word, form) => withoutVowels(word).length > 2 && withoutVowels(word) === withoutVowels(form) && word[0] === form[0];

// Stems of words whose forms have no long common beginning: Finnish, Polish, Czech, Dutch.
const STEMS = [/^peru(?!s)/u, /^z?rezygn/u, /^z?rus[ei]/u, /^(?:ge)?annule/u];

// haveOneRoot reports whether two Hebrew or Arabic words have the same consonants. Letters that are
// written for a vowel, and prefixes for the person or the article, do not count.
function haveOneRoot(word, other) {
  const [short, long] = [consonants(word), consonants(other)].sort((a, b) => a.length - b.length);
  if (short.length > 2) return long.includes(short);
  const stripped = long.length > 2 ? long.replace(/^[تينسملبوفك]/u, '') : long;
  return short.length === 2 && word.length > 3 && /^[\u0600-\u06ff]/u.test(word) && stripped === short;
}

const FINALS = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };

function consonants(word) {
  if (/^\p{sc=Arab}/u.test(word)) return word.replace(/[\p{M}ـاأإآٱىيیوئؤءةه]/gu, '');
  const plain = word.replace(/[\p{M}]/gu, '').replace(/[ךםןףץ]/gu, (c) => FINALS[c]);
  return plain[0] + plain.slice(1).replace(/[וי]/gu, '');
}

// isUndone reports whether one word is the other with a prefix that reverses it: unlock,
// deaktivieren.
export function isUndone(one, two) {
  const [syllable] = TURNS.exec(one) ?? [''], rest = one.slice(syllable.length);
  return syllable !== '' && rest.length > 3 && isFormOf(rest, two);
}

const TURNS = /^(?:un|dis|des|dez|de|ent|ab(?=bestell|kopp|wähl)|aus(?=schalt|blend|log|trag)|in|non|ont|av|af|od|roz|s|απ|απο|ξε|раз|от|вы|роз|від|де)(?=\p{L}{4})/u;
