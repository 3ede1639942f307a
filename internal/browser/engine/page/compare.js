// Comparing what a control holds with the value that was wanted.
//
// sameValue allows for what the control's type does to a value by itself. alike also allows for
// what an input mask does: grouping, case and white space. Neither accepts another value: not in
// a password, not in a number, not in an address.

import { isSlid, slidTo, valueRead } from './controls.js';
import { attr, inputType, isInput, isTag } from './dom.js';
import { nearest } from './flat.js';
import { fold, isSecret } from './text.js';

// sameValue reports whether a control of this type holds the value.
export function sameValue(el, holds, want) {
  if (holds === want) return true;
  const type = isTag(el, 'input') ? inputType(el) : '';
  if (isSlid(el)) return Math.abs(Number(holds) - Number(want)) <= 1e-9 * Math.max(1, Math.abs(Number(want))); // reckoned in steps
  if (type === 'number' || type === 'range') return want !== '' && holds !== '' && Number(holds) === Number(want);
  if (type === 'color') return holds === want.toLowerCase();
  if (type === 'time' || type === 'datetime-local') return wholeTime(holds) === wholeTime(want);
  if (type === 'email') return inASCII(holds) === inASCII(want);
  if (type === 'url') return holds.trim() === want.trim();
  if (isTag(el, 'input')) return holds === want.replace(/[\r\n]/g, '') || (want === '' && isBlankMask(el, holds));
  const lines = (s) => s.replace(/\r\n?/g, '\n');
  if (isTag(el, 'textarea')) return lines(holds) === lines(want);
  return fold(holds) === fold(want); // the lines of editable content are markup
}

// inASCII is a list of addresses as an input for them holds it: without white space around
// them, with the ASCII form of their hosts.
const inASCII = (list) => list.split(',').map((address) => {
  const [name, host, more] = address.trim().split('@');
  try {
    return /[^\0-\x7f]/.test(host ?? '') && !/[/?#:\\]/.test(host) && more === undefined ? `${name}@${new URL(`http://${host}`).hostname}` : address.trim();
  } catch {
    return address.trim();
  }
}).join(',');

// isBlankMask reports whether a text is what a mask shows of nothing: __/__/____, or
// +1 (___) ___-____, or the placeholder of the field, dd/mm/yyyy.
const isBlankMask = (el, holds) => /^(?:\+\d{1,3}(?=\D))?[^\p{L}\p{N}]*_[^\p{L}\p{N}]*_[^\p{L}\p{N}]*$/u.test(holds)
  || (holds === attr(el, 'placeholder') && /^\p{L}{1,4}(?:[-/.: ]+\p{L}{1,4})+$/u.test(holds));

const wholeTime = (s) => s.replace(' ', 'T').replace(/:00(\.0+)?$/, (m, _, at) => (/:\d\d$/.test(s.slice(0, at)) ? '' : m));

// holdsExactly names the inputs whose type leaves nothing to a mask.
const holdsExactly = (el) => isSecret(el) || isInput(el, 'number', 'range', 'date', 'time', 'datetime-local', 'month', 'week', 'color') || isSlid(el);

// alike reports whether holds is want as a mask shows it.
export function alike(el, holds, want) {
  if (holdsExactly(el) || (holds.trim() === '') !== (want.trim() === '')) return false;
  const have = plainly(holds), wanted = plainly(want);
  if (have === wanted) return true;
  if (isInput(el, 'email', 'url') || isAddress(wanted)) return false;
  if (inOtherCase(want, languageOf(el)).some((s) => plainly(s) === have)) return true;
  if (MIXED.test(wanted)) return false;
  const sign = numberSigns(el), meant = readNumber(wanted, true, sign), number = meant && shownNumber(have, sign);
  return number ? sameNumber(number, meant) : sameGroups(have, wanted) && !joinsWords(have, want);
}

// inOtherCase lists a text in capitals and in small letters, as its language writes them: STRASSE.
function inOtherCase(s, lang) {
  try {
    return [s.toUpperCase(), s.toLocaleUpperCase(lang || undefined), s.toLocaleLowerCase(lang || undefined)];
  } catch {
    return [s.toUpperCase()]; // no language
  }
}

const MIXED = /\d \d+ ?\/ ?\d/; // a number and a fraction: 1 1/2

const signs = new Map(); // by language

const languageOf = (el) => attr(nearest(el, '[lang]') ?? el, 'lang') ?? '';

// numberSigns is the decimal sign of the language that the page gives for el, and the sign between
// its thousands behind it; '' where it gives none.
function numberSigns(el) {
  const lang = languageOf(el);
  if (!signs.has(lang)) signs.set(lang, signsOf(lang));
  return signs.get(lang);
}

function signsOf(lang) {
  try {
    const parts = lang ? new Intl.NumberFormat(lang).formatToParts(1234567.5) : [];
    return ['decimal', 'group'].map((type) => parts.find((part) => part.type === type)?.value ?? '').map((sign) => sign && inLatin(sign)).join('');
  } catch {
    return ''; // no language
  }
}

// rewrites reports whether holds is want as pages write it when its field is left: a date or
// time in another form, or with something added.
export function rewrites(el, holds, want) {
  if (!el || holdsExactly(el) || bare(want) === '') return false;
  const have = plainly(holds), wanted = plainly(want);
  return sameDay(have, wanted) || (!isInput(el, 'email') && addsTo(have, wanted, isInput(el, 'url'), numberSigns(el)));
}

const DAY = /(?<!\d)(\d{1,4})(\. |[./-])(\d{1,2})\2(\d{1,4})(?:\.$)?(?!\d)/;

// sameDay reports whether two texts are the same date, time or both. The order of a date's
// parts is another one only where its separators or the place of the year show it:
// 2026-12-01 is not 2026-01-12.
function sameDay(have, wanted) {
  const a = dayOf(have), b = dayOf(wanted);
  if (!a || !b || a.rest !== b.rest) return false;
  if (!a.days) return !b.days;
  if (!b.days) return false;
  const both = a.days.filter((day) => b.days.some((other) => sameDigits(day, other)));
  const other = a.sep !== b.sep || a.yearFirst !== b.yearFirst || (a.days.length === 1 && b.days.length === 1);
  return both.length > 0 && (other || sameDigits(a.parts, b.parts));
}

// A field may show a year by its last two digits, or in full where they are those of a year that is
// near: 85 is 1985, and 25 is not 1925.
const sameDigits = (have, wanted) => have.every((n, i) => n === wanted[i] || (wanted[i] > 99 && n < 100 && wanted[i] % 100 === n)
  || (n > 99 && wanted[i] < 100 && n % 100 === wanted[i] && Math.abs(n - new Date().getFullYear()) <= NEAR_YEARS));
const NEAR_YEARS = 50;

// dayOf lists the dates [year, month, day] that a text may mean, and what else it says: a
// time without padding. null is neither.
function dayOf(text) {
  const s = text.replace(/ ?[年月년월] ?/g, '-').replace(/[日일]/g, '');
  const m = DAY.exec(s);
  const clock = (t) => t.replace(/^[\s,t]+|\s+$/g, '').replace(/^0(?=\d:)/, '').replace(/^(\d+:\d\d):00(?!\d)/, '$1');
  if (!m) return /^\d{1,2}:\d\d/.test(s) ? { rest: clock(s), days: null } : null;
  const parts = [m[1], m[3], m[4]].map(Number), yearFirst = m[1].length === 4;
  if (yearFirst ? m[4].length > 2 : m[1].length > 2 || m[4].length === 3) return null;
  const [p, q, r] = parts;
  const orders = yearFirst ? [[p, q, r]] : m[2][0] === '.' ? [[r, q, p]] : [[r, q, p], ...(p === q ? [] : [[r, p, q]])];
  const days = orders.filter(([, month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
  const before = s.slice(0, m.index).replace(/^\p{L}+[.,]* ?$/u, ''); // the day of the week
  return days.length ? { parts, sep: m[2][0], yearFirst, days, rest: before + clock(s.slice(m.index + m[0].length)) } : null;
}

const WITH_UNIT = /^(?:\p{L}[\p{L}.]* )?(.*?)(?: [\p{L}°%]\S*)*$/u;
const CLOCK = /\d:\d|\d ?[ap]\.?m\b/;

// addsTo reports whether have is wanted and something that stands off from it. An address
// gets nothing but its scheme and a slash at its end, a time nothing. sign: see numberSigns.
function addsTo(have, wanted, url, sign) {
  const site = wanted.includes('@') || wanted.includes('://') ? have : have.replace(/^[a-z][a-z\d+.-]*:\/\//, '');
  if (site === wanted || (!wanted.includes('@') && site === `${wanted}/` && (url || site !== have || isAddress(wanted)))) return true;
  if (url || isAddress(wanted) || CLOCK.test(wanted)) return false;
  const digits = bare(wanted), isDialled = /^[\d\s\-()./]{7,}$/.test(wanted) && /^\+[\d\s\-()./]+$/.test(have);
  if (isDialled && digits.length >= 7 && bare(have).endsWith(digits) && bare(have).length <= digits.length + 3) return true;
  const number = readNumber(wanted, true, sign);
  if (number) {
    const shown = !CLOCK.test(have) && WITH_UNIT.exec(have);
    const is = shown && readNumber(shown[1], false, sign);
    return Boolean(is) && sameNumber(is, number);
  }
  for (let i = have.indexOf(wanted); i >= 0; i = have.indexOf(wanted, i + 1)) {
    const before = have.slice(0, i), after = have.slice(i + wanted.length);
    if (standsOff(before, after, wanted)) return true;
  }
  return false;
}

// standsOff: by white space, or marks such as quotes and a currency's. What goes on with
// digits behind digits, says the value twice or names it (Invalid: x) is another value.
const standsOff = (before, after, wanted) => !before.includes(wanted) && !after.includes(wanted)
  && /(^|\s)["'@#/\p{Ps}\p{Pi}\p{Sc}]*$/u.test(before) && /^["'.,;:!?%°\p{Pe}\p{Pf}\p{Sc}]*(\s|$)/u.test(after) && !/\p{L}: ?$/u.test(before)
  && (/\p{L}/u.test(wanted) || (!/^[\s\p{P}]*\d/u.test(after) && !/\d[\s\p{P}]*$/u.test(before)));

// ofOneWidth is a text with the characters of full and half width as they are elsewhere. What
// else NFKC takes for the same is another value: 10² is not 102, 1½ not 11⁄2.
export const ofOneWidth = (s) => s.replace(/[\u3000\uff01-\uffee]+/g, (part) => part.normalize('NFKC')).normalize('NFC').replace(/(?!\d)[\p{Nd}\u066b\u066c]/gu, inLatin);

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810];

// inLatin is a digit of another script as one of 0 to 9, and a separator of Arabic numbers as one
// that means the same.
function inLatin(c) {
  if (c === '\u066b') return '.';
  if (c === '\u066c') return "'";
  const code = c.codePointAt(0), zero = ZEROS.find((z) => code >= z && code < z + 10);
  return zero === undefined ? c : String(code - zero);
}

// plainly is a text without what never makes another value: case, white space around it,
// and the typographic forms of quotes and dashes.
export const plainly = (s) => ofOneWidth(s).replace(/\p{Cf}/gu, '').replace(/[‘’]/g, "'").replace(/[“”]/g, '"')
  .replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\s+/g, ' ').trim().toLowerCase();

// isAddress: an e-mail address, a URL, a host, a path or the name of a file.
export const isAddress = (s) => /@|:\/\/|\\/.test(s) || /[\p{L}\d]\.\p{L}|\p{L}\.\d|\p{L}:\d/u.test(s) || /(^|[\p{L}\s.])\/|\/\p{L}/u.test(s)
  || /(^|[^\d.])\d{1,3}(\.\d{1,3}){3}([^\d.]|$)/.test(s);

const NUMBER = /^(\(?)([-+]?) ?(\p{Sc}?) ?([-+]?)(\d[\d., '_]*|[.,]\d+) ?(%?) ?(\p{Sc}?) ?(-?)(\)?)$/u;
const THOUSANDS = /^[1-9]\d{0,2}(\D\d{2,3})*\D\d{3}$/;

// readNumber reads a text as a number: values lists those that it may mean, mark is its last
// separator, unsure whether that may part decimals or thousands. null is none. A code that begins
// with a zero, and one with a plus sign, is no number: it may lose neither. sign: see numberSigns.
export function readNumber(s, wanted, sign = '') {
  const parts = NUMBER.exec(s);
  if (!parts) return null;
  const [, open, outer, before, inner, digits, percent, after, trailing, close] = parts;
  const plus = outer + inner;
  if ((open === '') !== (close === '') || plus === '+' || plus.length > 1 || (wanted && /^0\d/.test(digits))) return null;
  const minuses = plus || open || trailing ? ['-'] : [''];
  const read = decimalsOf(digits.trim(), wanted, sign), values = read.flatMap((n) => minuses.map((minus) => (n === '0' ? n : minus + n)));
  return values.length ? { values, percent, money: before || after, mark: /\D(?=\d*$)/.exec(digits.trim())?.[0] ?? '', unsure: read.length > 1 } : null;
}

// What stands at a number: a currency or a unit, before it with its sign on either side. Words that
// make another number of it are none.
const AFFIX_BEFORE = /^([-+\u2212]? ?)((?:%|\p{L}{0,3}\.?\p{Sc}|s\/\.?|\p{L}{1,4}\.?) ?)(?=[-+(]?\p{Sc}?[\d.,])/u;
const AFFIX_BEHIND = /(?<=[\d%)]) ?(?:\p{L}[\p{L}.]{0,7}[\u00b2\u00b3]?(?:\/\p{L}{1,4})?|\p{L}{0,3}\p{Sc}\.?(?:\/\p{L}{1,4})?|\u00b0\p{L}?|["\u2030])$/u;
const MULTIPLIES = /^(?:[ap]\.?m|e|k|m|b|t|bn|mn|mm|mio|mrd|mld|mil|tsd|cr|dr|lakh|crore|million\p{L}*|milli\p{L}*|thousand|th|hundred|dozen|pct|percent|[\u5341\u767e\u5343\u4e07\u842c\u5104\u4ebf])\.?$/u;

// shownNumber reads a number that a page shows, with what it has put at it.
function shownNumber(s, sign) {
  const number = readNumber(s, false, sign);
  if (number) return number;
  const behind = AFFIX_BEHIND.exec(s)?.[0] ?? '', rest = behind && !MULTIPLIES.test(behind.trim()) ? s.slice(0, -behind.length) : s;
  const before = AFFIX_BEFORE.exec(rest);
  return readNumber(before && !MULTIPLIES.test(before[2].trim()) ? before[1] + rest.slice(before[0].length) : rest, false, sign);
}

// sameNumber: a control may add a sign of percent or of a currency. It drops the latter
// where it shows it beside itself. Where nothing says what a comma means, 1,500 is not 1.500, nor
// 1.50: there the point parts the decimals.
function sameNumber(have, want) {
  const other = want.mark !== '' && have.mark !== '' && want.mark !== have.mark;
  if (have.unsure && other) return false;
  if (want.unsure && other) return want.values.slice(want.values.length / 2).some((n) => have.values.includes(n));
  if (want.percent && !have.percent) return false;
  if (want.money && have.money && want.money !== have.money) return false;
  return want.values.some((n) => have.values.includes(n));
}

// decimalsOf lists what digits with separators may mean, in their shortest form. A single
// point in what was wanted is the decimal point, unless the page's language groups by points, as
// in 1.500; a page may group by them. Whether 1,500 is one and a half depends on that language.
function decimalsOf(s, wanted, sign) {
  const seps = s.replace(/\d/g, ''), kinds = new Set(seps);
  const short = (whole, part = '') => `${whole.replace(/^0+(?=\d)/, '') || '0'}${part.replace(/0+$/, '').replace(/^(?=.)/, '.')}`;
  const bared = (t) => t.replace(/\D/g, '');
  if (!seps) return [short(s)];
  const last = s.search(/\D\d*$/), mark = s[last], head = s.slice(0, last), tail = s.slice(last + 1);
  const out = [];
  const decimal = (mark === '.' || mark === ',') && seps.split(mark).length === 2;
  if (decimal && (head === '' || /^\d+$/.test(head) || THOUSANDS.test(head)) && !(kinds.size > 2)) out.push(short(bared(head), tail));
  const point = wanted && mark === '.' && seps.length === 1 && sign[1] !== '.';
  if (!point && kinds.size === 1 && THOUSANDS.test(s)) out.push(short(bared(s)));
  return sign && out.length > 1 ? [out[mark === sign[0] ? 0 : 1]] : out;
}

// joinsWords reports whether white space between two words has gone: AdaLovelace is not Ada
// Lovelace. In a code in capitals white space only groups, and in Chinese or Japanese it parts
// no words.
function joinsWords(have, want) {
  const a = groupsOf(have), b = groupsOf(ofOneWidth(want).trim()), last = b.chars.length;
  if (a.chars.length !== last) return false;
  return b.gaps.some((gap, i) => i > 0 && i < last && gap !== '' && gap.trim() === '' && a.gaps[i] === ''
    && [b.chars[i - 1], b.chars[i]].every((c) => /\p{L}/u.test(c) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(c)) && !/\p{Lu}\s+\p{Lu}/u.test(b.chars[i - 1] + gap + b.chars[i]));
}

const GROUPING = /[\s\-()/.,:_]/;

// sameGroups reports whether two texts have the same characters in the same order, but for
// what groups them.
function sameGroups(have, wanted) {
  const a = groupsOf(have), b = groupsOf(wanted);
  if (a.chars.length !== b.chars.length || a.chars.some((c, i) => c !== b.chars[i]) || !keepsParts(a, b)) return false;
  return a.gaps.every((gap, i) => gap === b.gaps[i] || mayRegroup(b, i, b.gaps[i].replace(/\s/g, ''), gap.replace(/\s/g, '')));
}

// keepsParts reports whether the groups of digits in b are groups in a: 1999-12-31 is not
// 19/99/1231. White space may go, and without any separator all is one group that a mask may
// split. The digits of an international phone number may be grouped in any way.
function keepsParts(a, b) {
  if (isPhone(b)) return true;
  const within = b.gaps.map((gap, i) => ({ was: gap, is: a.gaps[i], inside: isDigit(b.chars[i - 1]) && isDigit(b.chars[i]) })).filter((g) => g.inside);
  const parted = within.some((g) => g.was !== '');
  return within.every((g) => (g.was === '' ? !parted || g.is === '' : g.is !== '' || g.was.trim() === ''));
}

const isPhone = (b) => /^\+[\d\s\-()./]+$/.test(b.text) && b.chars.length > 7 && b.chars.length <= 16;

// groupsOf splits a text into what counts, and the gaps before, between and behind that.
function groupsOf(s) {
  const chars = [], gaps = [''], at = [];
  let place = 0;
  for (const c of s) {
    if (GROUPING.test(c)) {
      gaps[gaps.length - 1] += c;
    } else {
      chars.push(c);
      at.push(place);
      gaps.push('');
    }
    place += c.length;
  }
  return { text: s, chars, gaps, at };
}

const isDigit = (c) => c !== undefined && /\d/.test(c);

// mayRegroup reports whether a gap of what was wanted may be shown as another one; i is
// that of the character behind it.
function mayRegroup(wanted, i, was, is) {
  if (was === is) return true;
  const left = wanted.chars[i - 1], right = wanted.chars[i];
  const only = (set) => [...was + is].every((c) => set.includes(c));
  if (left === undefined) return only('(') || (was === '' && only('(_'));
  if (right === undefined) return only(')') || (was === '' && only(')-_/.:'));
  const gap = wanted.gaps[i], digits = isDigit(left) && isDigit(right);
  if (/(^|\s)-$/.test(gap) && isDigit(right) && gap !== '-') return false; // a sign
  if (was === '') return /[.,:/]/.test(is) ? digits && mayPoint(wanted, i) : true;
  if (!isDigit(left) && !isDigit(right)) return false;
  if (/[.,]/.test(was)) return isDateLike(runAround(wanted, i));
  if (/[.,]/.test(is)) return digits && !/^\d+\D\d+$/.test(runAround(wanted, i));
  return is !== '' || !was.includes('/') || !/(^|\D)\d(\D|$)/.test(runAround(wanted, i));
}

// mayPoint: a point or comma between two digits of a longer text groups thousands.
const mayPoint = (wanted, i) => !/\p{L}/u.test(wanted.text) || /^\d{3}(\D|$)/.test(wanted.text.slice(wanted.at[i]));

// isDateLike: digits that two or more separators group, which make no decimal point.
const isDateLike = (run) => /^\d{2,4}([.,\-/ ]\d{2,4}){2,}$/.test(run);

// runAround is the run of digits and separators around the gap i of a text.
function runAround(t, i) {
  const at = t.at[i];
  return (/[\d.,\-/ ]*$/.exec(t.text.slice(0, at))[0] + /^[\d.,\-/ ]*/.exec(t.text.slice(at))[0]).replace(/^\D+|\D+$/g, '');
}

// bare is a text without case, white space and punctuation.
export const bare = (s) => ofOneWidth(s).replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '').toLowerCase();

// compared is what el holds beside what it should hold.
export function compared(el, want) {
  const holds = isSlid(el) ? slidTo(el) : valueRead(el);
  const value = typeof holds === 'string' ? holds : '';
  return { value, secret: isSecret(el), same: sameValue(el, value, want), alike: alike(el, value, want) };
}

export const TAG_DEPTH = 4; // boxes around a field in which what it has taken may be shown
