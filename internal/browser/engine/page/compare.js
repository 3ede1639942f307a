// Compares what a control holds with the wanted value.
//
// sameValue allows for what the control's type itself does to a value. alike also allows for what
// an input mask does: grouping, case and white space. Neither accepts another password, number or
// address.

import { isSlid, slidTo, valueRead } from './controls.js';
import { attr, inputType, isInput, isTag } from './dom.js';
import { nearest } from './flat.js';
import { fold, isSecret } from './text.js';

// sameValue reports whether a control of this type holds the value.
export function sameValue(el, holds, want) {
  if (holds === want) return true;
  const type = isTag(el, 'input') ? inputType(el) : '';
  if (isSlid(el)) return Math.abs(Number(holds) - Number(want)) <= 1e-9 * Math.max(1, Math.abs(Number(want))); // computed in steps, with rounding errors
  if (type === 'number' || type === 'range') return want !== '' && holds !== '' && Number(holds) === Number(want);
  if (type === 'color') return holds === want.toLowerCase();
  if (type === 'time' || type === 'datetime-local') return wholeTime(holds) === wholeTime(want);
  if (type === 'email') return inASCII(holds) === inASCII(want);
  if (type === 'url') return holds.trim() === want.trim();
  if (isTag(el, 'input')) return holds === want.replace(/[\r\n]/g, '') || (want === '' && isBlankMask(el, holds));
  const lines = (s) => s.replace(/\r\n?/g, '\n');
  if (isTag(el, 'textarea')) return lines(holds) === lines(want);
  return fold(holds) === fold(want); // line breaks of editable content are markup
}

// inASCII returns a list of e-mail addresses as an input of type email holds it: without white
// space around them, and with the ASCII form of their hosts.
const inASCII = (list) => list.split(',').map((address) => {
  const [name, host, more] = address.trim().split('@');
  try {
    return /[^\0-\x7f]/.test(host ?? '') && !/[/?#:\\]/.test(host) && more === undefined ? `${name}@${new URL(`http://${host}`).hostname}` : address.trim();
  } catch {
    return address.trim();
  }
}).join(',');

// isBlankMask reports whether a text is what a mask shows for an empty value: __/__/____, +1 (___)
// ___-____, or the placeholder of the field, such as dd/mm/yyyy.
const isBlankMask = (el, holds) => /^(?:\+\d{1,3}(?=\D))?[^\p{L}\p{N}]*_[^\p{L}\p{N}]*_[^\p{L}\p{N}]*$/u.test(holds)
  || (holds === attr(el, 'placeholder') && /^\p{L}{1,4}(?:[-/.: ]+\p{L}{1,4})+$/u.test(holds));

const wholeTime = (s) => s.replace(' ', 'T').replace(/:00(\.0+)?$/, (m, _, at) => (/:\d\d$/.test(s.slice(0, at)) ? '' : m));

// holdsExactly reports whether the type of an input leaves nothing to a mask.
const holdsExactly = (el) => isSecret(el) || isInput(el, 'number', 'range', 'date', 'time', 'datetime-local', 'month', 'week', 'color') || isSlid(el);

// alike reports whether the text "holds" is the text "want" as a mask shows it.
export function alike(el, holds, want) {
  if (holdsExactly(el) || (holds.trim() === '') !== (want.trim() === '')) return false;
  const have = plainly(holds), wanted = plainly(want);
  if (have === wanted) return true;
  if (isInput(el, 'email', 'url') || isAddress(wanted)) return false;
  if (inOtherCase(want, languageOf(el)).some((s) => plainly(s) === have)) return true;
  if (MIXED.test(wanted)) return false;
  if (addsCountry(have, wanted)) return true;
  const sign = numberSigns(el), meant = readNumber(wanted, true, sign), number = meant && shownNumber(have, sign);
  return number ? sameNumber(number, meant) : sameGroups(have, wanted) && !joinsWords(have, want);
}

// addsCountry reports whether a mask shows all digits of a phone number, and before them only the
// code of a country: +1 (212) 555-0123 for 2125550123, or for 12125550123, which has it.
function addsCountry(have, wanted) {
  const m = /^\+(\d{1,3})(?=[ (-])([ ()-]*\d[\d ()-]*)$/.exec(have), digits = (s) => s.replace(/\D/g, '');
  if (!m || !/^\d(?:[ ()-]*\d){6,14}$/.test(wanted) || wanted.startsWith('00')) return false;
  return [digits(m[2]), m[1] + digits(m[2])].includes(digits(wanted));
}

// inOtherCase returns a text in upper case and lower case, also by the rules of its language.
function inOtherCase(s, lang) {
  try {
    return [s.toUpperCase(), s.toLocaleUpperCase(lang || undefined), s.toLocaleLowerCase(lang || undefined)];
  } catch {
    return [s.toUpperCase()]; // lang is not a language
  }
}

const MIXED = /\d \d+ ?\/ ?\d/; // a number and a fraction: 1 1/2

const signs = new Map(); // language -> its number separators

const languageOf = (el) => attr(nearest(el, '[lang]') ?? el, 'lang') ?? '';

// numberSigns returns the decimal separator and then the thousands separator of el's language, or
// '' if the page declares none.
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
    return ''; // lang is not a language
  }
}

// rewrites reports whether the text "holds" is the text "want" in the form in which pages write it
// on blur: a date or time in another format, or the value with something added.
export function rewrites(el, holds, want) {
  if (!el || holdsExactly(el) || bare(want) === '') return false;
  const have = plainly(holds), wanted = plainly(want);
  return sameDay(have, wanted) || (!isInput(el, 'email') && addsTo(have, wanted, isInput(el, 'url'), numberSigns(el)));
}

const DAY = /(?<!\d)(\d{1,4})(\. |[./-])(\d{1,2})\2(\d{1,4})(?:\.$)?(?!\d)/;

// sameDay reports whether two texts are the same date, time or both. The parts of a date may be in
// another order only if its separators or the position of the year show that: 2026-12-01 is not
// 2026-01-12.
function sameDay(have, wanted) {
  const a = dayOf(have), b = dayOf(wanted);
  if (!a || !b || a.rest !== b.rest) return false;
  if (!a.days) return !b.days;
  if (!b.days) return false;
  const both = a.days.filter((day) => b.days.some((other) => sameDigits(day, other)));
  const other = a.sep !== b.sep || a.yearFirst !== b.yearFirst || (a.days.length === 1 && b.days.length === 1);
  return both.length > 0 && (other || sameDigits(a.parts, b.parts));
}

// A field may show only the last two digits of a year, or complete them to a year that is near: 85
// is 1985, but 25 is not 1925.
const sameDigits = (have, wanted) => have.every((n, i) => n === wanted[i] || (wanted[i] > 99 && n < 100 && wanted[i] % 100 === n)
  || (n > 99 && wanted[i] < 100 && n % 100 === wanted[i] && Math.abs(n - new Date().getFullYear()) <= NEAR_YEARS));
const NEAR_YEARS = 50;

// dayOf returns {parts, sep, yearFirst, days, rest}: the dates [year, month, day] that a text may
// mean, and the rest of it, such as a time without padding. days is null for a time alone. It
// returns null if the text is neither.
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

// addsTo reports whether the text "have" is the text "wanted" with something added that is clearly
// apart from it. An address may only get its scheme and a slash at the end, a time nothing. sign:
// see numberSigns.
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

// standsOff reports whether what was added is separated by white space, or by marks such as quotes
// and currency signs. If it adds digits to digits, repeats the value, or labels it (Invalid: x),
// the text is another value.
const standsOff = (before, after, wanted) => !before.includes(wanted) && !after.includes(wanted)
  && /(^|\s)["'@#/\p{Ps}\p{Pi}\p{Sc}]*$/u.test(before) && /^["'.,;:!?%°\p{Pe}\p{Pf}\p{Sc}]*(\s|$)/u.test(after) && !/\p{L}: ?$/u.test(before)
  && (/\p{L}/u.test(wanted) || (!/^[\s\p{P}]*\d/u.test(after) && !/\d[\s\p{P}]*$/u.test(before)));

// ofOneWidth returns a text with full-width and half-width characters in their usual form. Other
// equivalences of NFKC make another value: 10² is not 102, 1½ is not 11⁄2.
export const ofOneWidth = (s) => s.replace(/[\u3000\uff01-\uffee]+/g, (part) => part.normalize('NFKC')).normalize('NFC').replace(/(?!\d)[\p{Nd}\u066b\u066c]/gu, inLatin);

const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810];

// inLatin returns a digit of another script as one of 0 to 9, and an Arabic number separator as the
// Latin one with the same meaning.
function inLatin(c) {
  if (c === '\u066b') return '.';
  if (c === '\u066c') return "'";
  const code = c.codePointAt(0), zero = ZEROS.find((z) => code >= z && code < z + 10);
  return zero === undefined ? c : String(code - zero);
}

// plainly returns a text without what never makes another value: case, white space around it, and
// typographic forms of quotes and dashes.
export const plainly = (s) => ofOneWidth(s).replace(/\p{Cf}/gu, '').replace(/[‘’]/g, "'").replace(/[“”]/g, '"')
  .replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\s+/g, ' ').trim().toLowerCase();

// isAddress reports whether a text is an e-mail address, a URL, a host, a path or a file name.
export const isAddress = (s) => /@|:\/\/|\\/.test(s) || /[\p{L}\d]\.\p{L}|\p{L}\.\d|\p{L}:\d/u.test(s) || /(^|[\p{L}\s.])\/|\/\p{L}/u.test(s)
  || /(^|[^\d.])\d{1,3}(\.\d{1,3}){3}([^\d.]|$)/.test(s);

const NUMBER = /^(\(?)([-+]?) ?(\p{Sc}?) ?([-+]?)(\d[\d., '_]*|[.,]\d+) ?(%?) ?(\p{Sc}?) ?(-?)(\)?)$/u;
const THOUSANDS = /^[1-9]\d{0,2}(\D\d{2,3})*\D\d{3}$/;

// readNumber reads a text as a number: values are those that it may mean, mark is its last
// separator, unsure says whether that may separate decimals or thousands. It returns null if the
// text is no number. A code with a leading zero, or with a plus sign, is no number, as it may lose
// neither. sign: see numberSigns.
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

// What may be next to a number: a currency or a unit, with the sign before or after it. Words that
// multiply the number do not count.
const AFFIX_BEFORE = /^([-+\u2212]? ?)((?:%|\p{L}{0,3}\.?\p{Sc}|s\/\.?|\p{L}{1,4}\.?) ?)(?=[-+(]?\p{Sc}?[\d.,])/u;
const AFFIX_BEHIND = /(?<=[\d%)]) ?(?:\p{L}[\p{L}.]{0,7}[\u00b2\u00b3]?(?:\/\p{L}{1,4})?|\p{L}{0,3}\p{Sc}\.?(?:\/\p{L}{1,4})?|\u00b0\p{L}?|["\u2030])$/u;
const MULTIPLIES = /^(?:[ap]\.?m|e|k|m|b|t|bn|mn|mm|mio|mrd|mld|mil|tsd|cr|dr|lakh|crore|million\p{L}*|milli\p{L}*|thousand|th|hundred|dozen|pct|percent|[\u5341\u767e\u5343\u4e07\u842c\u5104\u4ebf])\.?$/u;

// shownNumber reads a number that a page shows, with the currency or unit that the page has added.
function shownNumber(s, sign) {
  const number = readNumber(s, false, sign);
  if (number) return number;
  const behind = AFFIX_BEHIND.exec(s)?.[0] ?? '', rest = behind && !MULTIPLIES.test(behind.trim()) ? s.slice(0, -behind.length) : s;
  const before = AFFIX_BEFORE.exec(rest);
  return readNumber(before && !MULTIPLIES.test(before[2].trim()) ? before[1] + rest.slice(before[0].length) : rest, false, sign);
}

// sameNumber reports whether two numbers are the same. A control may add a percent or currency
// sign, and may drop a currency sign. If the language does not say what a comma means, 1,500 is
// neither 1.500 nor 1.50.
function sameNumber(have, want) {
  const other = want.mark !== '' && have.mark !== '' && want.mark !== have.mark;
  if (have.unsure && other) return false;
  if (want.unsure && other) return want.values.slice(want.values.length / 2).some((n) => have.values.includes(n));
  if (want.percent && !have.percent) return false;
  if (want.money && have.money && want.money !== have.money) return false;
  return want.values.some((n) => have.values.includes(n));
}

// decimalsOf returns what digits with separators may mean, in shortest form. A single point in the
// wanted value is the decimal point, unless the page's language groups by points (1.500); a page
// may group by points. Whether 1,500 means one and a half depends on the language.
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

// joinsWords reports whether white space between two words is missing: AdaLovelace is not Ada
// Lovelace. In a code in capitals white space only groups, and Chinese and Japanese do not separate
// words.
function joinsWords(have, want) {
  const a = groupsOf(have), b = groupsOf(ofOneWidth(want).trim()), last = b.chars.length;
  if (a.chars.length !== last) return false;
  return b.gaps.some((gap, i) => i > 0 && i < last && gap !== '' && gap.trim() === '' && a.gaps[i] === ''
    && [b.chars[i - 1], b.chars[i]].every((c) => /\p{L}/u.test(c) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(c)) && !/\p{Lu}\s+\p{Lu}/u.test(b.chars[i - 1] + gap + b.chars[i]));
}

const GROUPING = /[\s\-()/.,:_]/;

// sameGroups reports whether two texts have the same characters in the same order, apart from the
// separators that group them.
function sameGroups(have, wanted) {
  const a = groupsOf(have), b = groupsOf(wanted);
  if (a.chars.length !== b.chars.length || a.chars.some((c, i) => c !== b.chars[i]) || !keepsParts(a, b)) return false;
  return a.gaps.every((gap, i) => gap === b.gaps[i] || mayRegroup(b, i, b.gaps[i].replace(/\s/g, ''), gap.replace(/\s/g, '')));
}

// keepsParts reports whether the groups of digits in b are groups in a: 1999-12-31 is not
// 19/99/1231. White space may go. Digits without any separator are one group, which a mask may
// split. The digits of an international phone number may be grouped in any way.
function keepsParts(a, b) {
  if (isPhone(b)) return true;
  const within = b.gaps.map((gap, i) => ({ was: gap, is: a.gaps[i], inside: isDigit(b.chars[i - 1]) && isDigit(b.chars[i]) })).filter((g) => g.inside);
  const parted = within.some((g) => g.was !== '');
  return within.every((g) => (g.was === '' ? !parted || g.is === '' : g.is !== '' || g.was.trim() === ''));
}

const isPhone = (b) => /^\+[\d\s\-()./]+$/.test(b.text) && b.chars.length > 7 && b.chars.length <= 16;

// groupsOf splits a text into its significant characters, and the gaps before, between and after
// them.
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

// mayRegroup reports whether the gap "was" of the wanted text may be shown as the gap "is". i is
// the index of the character after the gap.
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

// mayPoint reports whether a point or comma between two digits of a longer text can group
// thousands.
const mayPoint = (wanted, i) => !/\p{L}/u.test(wanted.text) || /^\d{3}(\D|$)/.test(wanted.text.slice(wanted.at[i]));

// isDateLike reports whether digits are grouped by two or more separators, none of which can be a
// decimal point.
const isDateLike = (run) => /^\d{2,4}([.,\-/ ]\d{2,4}){2,}$/.test(run);

// runAround returns the digits and separators around gap i of a text.
function runAround(t, i) {
  const at = t.at[i];
  return (/[\d.,\-/ ]*$/.exec(t.text.slice(0, at))[0] + /^[\d.,\-/ ]*/.exec(t.text.slice(at))[0]).replace(/^\D+|\D+$/g, '');
}

// bare returns a text without case, white space and punctuation.
export const bare = (s) => ofOneWidth(s).replace(/[\s\p{P}\p{S}\p{Cf}]/gu, '').toLowerCase();

// compared returns {value, secret, same, alike}: what el holds, and how that compares with the text
// "want".
export function compared(el, want) {
  const holds = isSlid(el) ? slidTo(el) : valueRead(el);
  const value = typeof holds === 'string' ? holds : '';
  return { value, secret: isSecret(el), same: sameValue(el, value, want), alike: alike(el, value, want) };
}

export const TAG_DEPTH = 4; // levels around a field in which a tag with its value may be shown
