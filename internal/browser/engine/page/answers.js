// What a page says about files that it was given: that it has accepted or refused them.

import { bare } from './compare.js';
import { hueOf } from './digest.js';
import {
  ELEMENT, attr, bodyOf, byId, dataOf, getter, isConnected, isInput, matches, ownerOf, queryAll, rootOf, styleOf, tagOf, typeOf,
  validationMessage, validityOf,
} from './dom.js';
import { nearest, rootsIn, up } from './flat.js';
import { spend } from './limits.js';
import { fresh } from './look.js';
import { LONGEST_NAME } from './shown.js';
import { NO_TEXT, cut, fold, isBlock, readable, rendered } from './text.js';
import { isVisible } from './visible.js';
import { nextText, textsBelow } from './words.js';

const ALARM = '[role=alert],[role=alertdialog],[aria-live=assertive]';
const ERRORS = '.error,.errors,.errorlist,.error-message,.error-text,.message-error,.field-error,.form-error,.invalid-feedback,.text-danger,.alert-danger,.alert-error';
export const COMPLAINING = `${ALARM},${ERRORS}`;
const HARMLESS = '[class*=success i],[class*=info i],[class*=check-circle i]';
const PRESSABLE = 'button,a,select,option,summary,[role=button],[role=link]';

// The words of a refusal must be separate words; inside a file name they do not count.
export const REFUSES = new RegExp('(?<![\\p{L}\\p{N}_.-])(?:' +
  "fail(?:ed|s|ure)?|errors?|invalid|unable|cannot|can.t|(?:could|was|were|did|has|have|is|are|does)(?: not|n.t)|not (?:been )?(?:added|accepted|allowed|supported|permitted|saved|sent|uploaded|valid|readable)|" +
  'too (?:many|short|long|large|big|small|heavy|wide|high)|exceed(?:s|ed)?|denied|declined|rejected|refused|blocked|unsupported|unreadable|corrupt(?:ed)?|virus(?:es)?|malware|infected|unsafe|problem|wrong|quota|(?:larger|bigger|more) than|must (?:be|have|not)|' +
  'nicht|zu (?:groß|klein|viele|lang)|ungültig|fehler|fehlgeschlagen|überschr\\p{L}+|abgelehnt|erreur|échou\\p{L}*|échec|invalide|refusée?|trop (?:grand|gros|lourd|volumineux)e?|dépass\\p{L}+|no (?:se|es|está|válido|permitid\\p{L})|demasiado|inválid[oa]|excede|rechazad[oa]|não|muito grande|grande demais|troppo grande|non (?:è|valid\\p{L}|consentit\\p{L}|supportat\\p{L})' +
  ')(?![\\p{L}\\p{N}_-]|\\.\\p{L})|太大|过大|過大|太小|超过|超過|超出|不支持|不允许|不能|无法|無法|失败|失敗|错误|錯誤|无效|拒绝|大きすぎ|できません|エラー|対応していません|너무|실패|오류|지원하지', 'iu');
const NO_ERRORS = /(?<![\p{L}\p{N}])(?:no|0|without(?: any)?) (?:errors?|problems?|virus(?:es)?|malware)(?![\p{L}\p{N}])/giu;
export const TAKES = /(?<!\p{L})(?:upload(?:ed|ing)|added|attached|selected|chosen|picked|accepted|received|ready|success(?:ful(?:ly)?)?|completed?|done|saved|loaded|imported|sent|stored|queued|pending|hochgeladen|ausgewählt|hinzugefügt|angehängt|gespeichert|ajoutée?|téléversée?|téléchargée?|sélectionnée?|envoyée?|subid[oa]|añadid[oa]|adjuntad[oa]|seleccionad[oa]|carregad[oa]|selecionad[oa]|caricat[oa]|selezionat[oa])(?!\p{L})|已|成功|完成|正在|上[传傳]中|処理中|处理中|選択|追加|アップロード中|업로드 ?중|アップロードしました|완료|선택/iu;
// An alert about a limit may mention selected files that the page has not accepted.
const OF_LIMITS = /(?<!\p{L})(?:only|limits?|limited|max(?:imum)?|at most|up to|no more than|nur|lediglich|höchstens|maximal|bis zu|seul(?:e?s?|ement)|uniquement|s[oó]lo|solamente|únicamente|soltanto|apenas|somente|tylko|только|límite|máximo|limite)(?!\p{L})|限制|最多|上限|超出|[只仅僅]|のみ|だけ|(?:파일|형식)만/iu;
const SIZES = /^(?:bytes?|[kmgt]i?b|[kmgt]o|octets?)$/i;
const MOST_SAID = 300; // characters of one text, and texts of one look

export const SHORTENED = /(.*?)(?:…|\.{3})(.*)/s;
const LEAST_OF_NAME = 4; // characters that a shortened file name keeps at least

// inFull returns a text with the full name in place of a shortened file name: annual-re…2026.pdf.
export function inFull(text, names) {
  const [, left, right] = SHORTENED.exec(text) ?? [];
  if (left === undefined) return text;
  const start = left.trimEnd(), end = right.trimStart();
  for (const name of names) {
    let head = name.length, tail = name.length;
    while (head >= LEAST_OF_NAME && !start.endsWith(name.slice(0, head))) head--;
    while (tail > 0 && !end.startsWith(name.slice(-tail))) tail--;
    if (head >= LEAST_OF_NAME && head + tail < name.length) return start.slice(0, -head) + name + end.slice(tail);
  }
  return text;
}

// sayingsIn returns {el, pressed, text} of each block of text in root. A button or link is left out
// of the text of its block, and has an entry of its own. The test "may" selects text nodes.
export function sayingsIn(root, may = null) {
  const walk = textsBelow(root), blocks = new Set(), said = [];
  for (let node = nextText(walk); node && said.length < MOST_SAID; node = nextText(walk)) {
    const data = dataOf(node);
    if (!/\S/.test(data) || may && !may(bare(data), data)) continue;
    const el = up(node);
    if (!el || NO_TEXT.has(tagOf(el))) continue;
    spend();
    const pressed = nearest(el, PRESSABLE);
    let block = pressed ?? el;
    while (!pressed && up(block) && !isBlock(block)) block = up(block);
    if (blocks.has(block)) continue;
    const text = pressed ? fold(rendered(pressed)) : textBut(block);
    if (text.length <= MOST_SAID) blocks.add(block);
    said.push({ el, pressed: Boolean(pressed), text: text.length <= MOST_SAID ? text : fold(data).slice(0, MOST_SAID) });
  }
  return said;
}

// textBut returns the text of a block without that of its buttons and links.
function textBut(block) {
  const walk = textsBelow(block), parts = [];
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const el = up(node);
    if (el && isVisible(el) && !NO_TEXT.has(tagOf(el)) && !nearest(el, PRESSABLE)) parts.push(dataOf(node));
  }
  return fold(parts.join(' '));
}

// besides returns a text without file names, and without phrases such as "no errors".
function besides(text, names) {
  let rest = fold(text).replace(NO_ERRORS, ' ');
  for (const name of names.filter(Boolean)) rest = rest.split(name).join(' ');
  return rest;
}

// plainWords returns the words of a text. In a script without spaces, a longer run counts as
// several.
const plainWords = (text) => (text.match(/\p{L}{2,}/gu) ?? []).filter((word) => !SIZES.test(word)).flatMap((word) => (UNPARTED.test(word) ? [word, word] : [word]));
const UNPARTED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{4}/u;

export const namesAny = (text, names) => names.map(bare).filter(Boolean).some((stem) => bare(text).includes(stem));

// saidBefore returns what a page says before it is given files.
export function saidBefore(el) {
  const body = bodyOf(ownerOf(el));
  return { text: body ? bare(rendered(body)) : '', custom: customError(el), invalid: attr(el, 'aria-invalid') };
}

const hasCustomError = getter(ValidityState.prototype, 'customError');
const customError = (el) => (isInput(el, 'file') && hasCustomError(validityOf(el)) ? validationMessage(el) : '');

// complaintOf returns what a page says against files that it was given, or ''. holds: they are
// still in the input.
export function complaintOf(g, names, holds) {
  g.changes.push(...g.observer.takeRecords());
  fresh();
  const custom = customError(g.el);
  if (holds && custom && custom !== g.said.custom) return custom;
  const places = rootsIn(ownerOf(g.el)).flatMap((root) => queryAll(root, COMPLAINING));
  for (const change of g.changes) {
    const around = typeOf(change.target) === ELEMENT ? change.target : up(change.target);
    if (around) places.push(...(change.type === 'attributes' ? [] : addedBy(change, around)));
  }
  let marked = ''; // a file name marked as an error; a complaint in words comes first
  for (const place of new Set(places)) {
    if (!isConnected(place) || !isVisible(place)) continue;
    for (const said of sayingsIn(place)) {
      if (complains(g, said, names, holds)) return cut(said.text, LONGEST_NAME);
      if (!marked && !holds && !said.pressed && isVisible(said.el) && namesAny(said.text, names) && showsError(said.el, names)) marked = said.text;
    }
  }
  if (marked) return cut(marked, LONGEST_NAME);
  const isInvalid = holds && attr(g.el, 'aria-invalid') === 'true' && g.said.invalid !== 'true';
  return isInvalid ? namedBy(g.el) || 'the field is invalid' : '';
}

// namedBy returns the text of the elements that describe a field or its error.
function namedBy(el) {
  const ids = `${attr(el, 'aria-errormessage') ?? ''} ${attr(el, 'aria-describedby') ?? ''}`.split(/\s+/).filter(Boolean);
  const els = ids.map((id) => byId[typeOf(rootOf(el))]?.(rootOf(el), id)).filter(Boolean);
  return fold(els.map(readable).join(' '));
}

// invalidBy returns what the page or the browser says against the value of a field, or null if
// neither marks it as invalid.
export function invalidBy(el) {
  const marked = attr(el, 'aria-invalid');
  if (marked && marked !== 'false') return cut(namedBy(el), LONGEST_NAME);
  const isChecked = willValidate[tagOf(el)];
  return isChecked?.(el) && matches(el, ':invalid') ? cut(validationMessage(el), LONGEST_NAME) : null;
}

const willValidate = { __proto__: null, input: getter(HTMLInputElement.prototype, 'willValidate'), textarea: getter(HTMLTextAreaElement.prototype, 'willValidate') };

// complains reports whether a text is new and refuses files. Text that is marked as an alert or
// error, or shown in red, need not contain a known word.
function complains(g, { el, pressed, text }, names, holds) {
  const named = namesAny(text, names);
  if (pressed || !text || !isVisible(el) || !named && g.said.text.includes(bare(text))) return false;
  const rest = besides(text, names), words = plainWords(rest).length;
  if (REFUSES.test(rest)) return named || !holds || nearest(el, COMPLAINING) !== null || hueOf(el) === 'red';
  const alert = nearest(el, '[role=alert],[role=alertdialog]');
  if (!words || TAKES.test(rest) && !(alert && OF_LIMITS.test(rest))) return false;
  if (nearest(el, ERRORS)) return true;
  if (alert) return words > 1 && !matches(alert, HARMLESS) && !queryAll(alert, HARMLESS).length && !(up(alert) && nearest(up(alert), HARMLESS));
  return words > 1 && hueOf(el) === 'red';
}

const ERROR_STATE = /^(?:.*[-_])?(?:errors?|errored|invalid|failed|failure|rejected|refused|danger)$/i;
const WITH_A_NAME = 40; // characters that a list entry may have beside the file name

// showsError reports whether the file name in el is red or struck out, or is in a list entry that
// is marked as an error, by itself or by an icon. If the page has taken the file out of its input,
// that is a refusal.
export function showsError(el, names) {
  const longest = Math.max(...names.map((name) => bare(name).length));
  if (hueOf(el) === 'red') return true;
  for (let n = el; n && n !== bodyOf(ownerOf(el)) && bare(rendered(n)).length <= longest + WITH_A_NAME; n = up(n)) {
    const icons = queryAll(n, '[class]').filter((icon) => !rendered(icon) && isVisible(icon) && !nearest(icon, REMOVES) && styleOf(icon).cursor !== 'pointer');
    if (styleOf(n).textDecorationLine.includes('line-through') || [n, ...icons].some(isOfError)) return true;
  }
  return false;
}

const REMOVES = 'button,a,[role=button],[onclick]'; // buttons that remove an entry are often red

const isOfError = (el) => (attr(el, 'class') ?? '').split(/\s+/).some((word) => ERROR_STATE.test(word));

// refusesFiles reports whether the text of a JavaScript dialog refuses files. Like an alert, it
// need not contain a known word.
export function refusesFiles({ text, names }) {
  const rest = besides(text, names);
  return REFUSES.test(rest) || plainWords(rest).length > 1 && !(TAKES.test(rest) && !OF_LIMITS.test(rest));
}

// addedBy returns the nodes that a mutation record has added, or the element around its change.
export const addedBy = (change, around) => (change.type === 'childList' ? [...change.addedNodes].map((n) => (typeOf(n) === ELEMENT ? n : around)) : [around]);
