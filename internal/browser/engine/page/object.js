// Where a question speaks of what a button does without asking for it: "Restore deleted files?" does
// not ask to delete, nor does "Delete 2 of 40 rows?" ask for 40 rows.

import { NO_WORD, UNSPACED, askedWords, isFormOf, plainLetters } from './stems.js';
import { fold } from './text.js';
import { PAST, areAlike, isOfSense, isSmall, phrased, sensesOf } from './verbs.js';

// isObject reports whether lines have a verb of a button, and each of them only as the object of
// another verb ("Undo delete?"), as a participle ("deleted files") or behind a word such as "before".
// A noun that stands by itself ("Confirm deletion") asks for the verb.
export function isObject(verbs, lines) {
  const words = verbs.filter((verb) => (!isSmall(verb) || CANCELS.test(verb)) && (verb.length > 2 || UNSPACED.test(verb)));
  const uses = words.flatMap((verb) => lines.flatMap((line) => clausesOf(line).map((clause) => useOf(verb, clause)))).filter(Boolean);
  return uses.length > 0 && uses.every((use) => use === 'object');
}

const clausesOf = (line) => phrased(line).split(CLAUSES).filter(Boolean);
const CLAUSES = /[,，、:：;；.。!！?？؟–—]|\s(?:and|und|et|y|e|en|og|och|i|и|oraz|ve|és|și|or|oder|ou|o|of toch|oppure|lub|albo|или|eller|veya)\s|并|並|还是|または/iu;

// useOf returns whether a clause has a verb as what is 'asked', or as an 'object', or null.
function useOf(verb, clause) {
  if (UNSPACED.test(verb) || UNSPACED.test(clause.trim())) return useUnspaced(verb, plainLetters(fold(clause)));
  const words = askedWords(clause), of = words.findIndex((word) => isFormOf(verb, word));
  const at = of < 0 ? words.findIndex((word) => areAlike(verb, word)) : of;
  if (at < 0) return null;
  const isOther = (word) => word !== undefined && !isFormOf(verb, word) && !areAlike(verb, word) && (OTHER.test(word) || (sensesOf(word).size > 0 && !isOfSense(word, 'start', 'create', 'finish', 'send')));
  const first = words.findIndex((word) => !isSmall(word) || CANCELS.test(word)), word = words[at], last = words.at(-1);
  if (words.slice(0, at).some((other) => BEHIND.test(other)) || words.some((other) => TAKES_BACK.test(other))) return 'object';
  if (at === words.length - 1 && word === verb && INFINITIVE.test(verb)) return 'asked';
  if (first < at && isOther(words[first])) return 'object';
  if (at < words.length - 1 && INFINITIVE.test(last) && (!isSmall(last) || CANCELS.test(last)) && isOther(last)) return 'object';
  if (first < at && word !== verb && /ing$/u.test(word)) return words.slice(0, at).every(isSmall) ? 'asked' : 'object';
  if (word !== verb && (PARTICIPLE.test(word) || (first < at && BEHIND_NOUN.test(word))) && words[at + 1] !== undefined && !words.some((other) => PASSIVE.test(other)) && !isSmall(words[at + 1])) return 'object';
  return 'asked';
}

// The first word of a question by which it asks for something else than what comes behind it.
const OTHER = new RegExp('^(?:undo|redo|recover|resume|re(?:open|new|activ|instat|connect|enable|try)|restor|revert|roll|bring|put$|stop|prevent|avoid|block|skip|halt|paus|cancel|abort|interrupt|suspend|delay|postpon|defer|schedul|show|hide|unhide|list$|view|see$|archiv|unarchiv|' +
  'export|download|back$|backup|protect|lock|unlock|unblock|allow|permit|approv|accept|reject|deny|declin|refus|ignor|report|review|requir|request|notify|track|search|duplicat|disabl|enabl|exclud|includ|disput|appeal|forbid|free|releas|keep|retain|save|' +
  'aufhor|wiederhol|wiederherstell|ruckgangig|zuruckhol|stopp|anhalt|abbrech|verhinder|vermeid|uberspring|fortsetz|verschieb|anzeig|einblend|ausblend|archivier|exportier|herunterlad|schutz|freigeb|freischalt|entsperr|genehmig|annehm|ablehn|zulass|erlaub|aktivier|offn|' +
  'cess|recuper|retabl|restaur|annul|arret|empech|evit|interromp|suspend|report|afficher|masquer|montrer|archiv|exporter|telecharg|debloqu|autoris|approuv|accept|refus|reactiv|reprendre|rouvrir|' +
  'dej(?:ar|a|e)$|smett|deshac|reanud|reabr|detener|impedir|paus|omitir|mostrar|ocultar|archivar|exportar|descargar|desbloque|permitir|aprobar|rechaz|reactivar|desfaz|retom|reabrir|parar|cessar|exibir|arquiv|baixar|aprovar|' +
  'ripristin|riprend|riaprire|ferma|impedire|evitare|mostra|nascond|archivia|esporta|scarica|sblocca|approva|herstel|terughal|hervat|heropen|tegenhoud|overslaan|toon|verberg|goedkeur|' +
  'przywr|odzysk|cofn|wznow|wstrzym|zatrzym|obnov|vratit|zastav|восстанов|верн|отмен|останов|возобнов|показ|скры|одобр|aterstall|angra|gendan|fortryd|gjenopp|angre|palaut|kumoa|geri$|visszaallit|anulowac|annulla|annuler)', 'u');
const INFINITIVE = /\p{L}{3}(?:e|el|er)n$/u; // in German and Dutch, the last word of a question
const TAKES_BACK = /^(?:ruckgangig|ongedaan)/u;
const CANCELS = /^(?:cancel|annul(?:er|ez|la|are|ieren)|cancelar|abbrech|anulowa|zrusi|отмен)/u;
const BEHIND = /^(?:before|after|instead|prior|rather|while|anstatt|statt|bevor|nachdem|vor|vorm|avant|apres|lieu|antes|despues|vez|prima|invece|dopo|depois|voordat|plaats|przed|zamiast|pred|misto|перед|вместо)$/u;
const PASSIVE = /^(?:be|been|being|get|gets|getting|is|are|was|were|wird|werden|wurden?|worden|ist|sind|etre|est|sont|sera|seront|ser|sera|seran|esta|estan|essere|sara|saranno|verra|verranno|word|wordt|worden|zijn|byc|byt|zostan\p{L}*|blir|bli|blive|bliver)$/u;
const PARTICIPLE = /(?:ed|en)$|^(?:\p{L}{0,4}ge|ver|ent|be|zer)\p{L}+(?:te|en)[nrms]?$|(?:нн|т)(?:ые|ых|ый|ую|ая|ое|ого)$/u;
const BEHIND_NOUN = /ees?$|[ai]d[oa]s?$|[aiu]t[oaie]$/u;

function useUnspaced(verb, clause) {
  const stem = /^\p{sc=Han}{2}/u.exec(verb)?.[0] ?? verb, at = clause.indexOf(stem);
  if (at < 0) return null;
  const rest = clause.slice(at + stem.length);
  if (/^(?:了)?的|^(?:した|された|済み?の?)(?=[\p{sc=Han}\p{sc=Kana}])|^[之以]?前|^する?前|^の?前に|^(?:한|된)\s/u.test(rest) || /[已被]$/u.test(clause.slice(0, at))) return 'object';
  if (/^(?:操作|する)?(?:を|の)[^を]*(?:取り?消|元に戻|中止|停止|やめ|防|復元|保留|承認|却下|キャンセル)/u.test(rest) || /^(?:을|를)?\s?(?:취소|중지|복구|되돌|보류)/u.test(rest)) return 'object';
  return HAN_OTHER.test(clause.slice(0, at)) ? 'object' : 'asked';
}

const HAN_OTHER = /^(?:您|你|我们?|请|請|现在|現在)?(?:是否|确定|確定|确认|確認|真的)?(?:您|你)?(?:真的)?(?:要|想要?|需要|希望|将|將)?(?:恢复|恢復|还原|還原|撤销|撤銷|撤回|取消|停止|中止|终止|終止|暂停|暫停|阻止|防止|避免|跳过|跳過|导出|導出|下载|備份|备份|归档|显示|顯示|隐藏|批准|同意|拒绝|驳回|重新|继续|解除)/u;

// isUnasked reports whether a dialog that has no question says nothing of what the verbs of a button
// destroy or leave, nor that something is lost for good or is to be confirmed.
export function isUnasked(verbs, lines, text) {
  if (GRAVE.test(plainLetters(fold(text)))) return false;
  const words = askedWords(phrased(text)), said = plainLetters(fold(text));
  return !verbs.some((verb) => (UNSPACED.test(verb) ? said.includes(verb.slice(0, 2)) : words.some((word) => (isFormOf(verb, word) || (areAlike(verb, word) && !PAST.test(word))))));
}

const GRAVE = new RegExp('(?<!\\p{L})(?:unsaved|lost|los(?:e|es|ing)(?!\\p{L})|irrevers|permanent|confirm|warning|danger|caution|attention|achtung|warnung|vorsicht|bestatig|unwiderruf|endgultig|verlor|verlier|ungespeichert|avertissement|definitiv|irrever|perdu|perdre|' +
  'advertencia|atencion|perder|perdid|aviso|attenzione|avviso|perse|persi|conferma|waarschuwing|let op|verloren|uwaga|ostrzezenie|utrac|varovani|upozorneni|внимание|предупреждение|потерян|varning|advarsel|varoitus|figyelm|dikkat|uyari)|' +
  '(?:not|never|nicht|non|sin|niet|не|nie|ej|ikke)(?: \\p{L}+){0,3} (?:undone|saved|recovered|restored|reversed|rückgangig|ruckgangig|gespeichert|enregistr|guard|opgeslagen|отмен|сохран)|' +
  '确认|確認|警告|注意|危险|提示|无法|無法|不可|不能|丢失|未保存|失われ|元に戻|保存されて|확인|경고|주의|저장되지|잃', 'u');

// withoutTotals returns a sentence without the numbers of which it names only a part: the 40 of
// "2 of 40", "2 von 40", "2/40", "共40行中的2行".
export const withoutTotals = (text) => text.replace(TOTAL, (all, part) => part).replace(TOTAL_HAN, ' ').replace(TOTAL_SAID, ' ');
export const hasTotal = (text) => withoutTotals(text) !== text;

const AMOUNT = '[$€£¥]?\\s?\\p{N}+(?:[.,\\u202f\\u00a0 \'’]\\p{N}{3})*(?:[.,]\\p{N}{1,2})?(?!\\p{N})';
const TOTAL = new RegExp(`(${AMOUNT}(?:\\s?[€$£%]|(?:\\s\\p{L}+){0,2})?)\\s?(?:(?:out of|of|von|aus|der|de|des|du|d['’]|sur|parmi|di|del|della|dei|delle|su|van|z|ze|из|з|af|av|en|entre|trong|dari)\\s(?:(?:the|all|den|der|insgesamt|les|los|las|total|alle|my|your|meinen|ihren|mes|vos|sus|mis)\\s){0,2}(?:total of\\s)?|[/／]\\s?)${AMOUNT}`, 'giu');
const TOTAL_HAN = /(?:共|总共|總共|全部|全|合计|合計|計|총|전체)\s*\p{N}+|\p{N}+\s*(?:\p{sc=Han}|\p{sc=Hang}|\p{sc=Kana}){0,3}(?:中的?|里的?|裡的?|のうち|중)/gu;
const TOTAL_SAID = new RegExp(`${AMOUNT}(?=(?:\\s\\p{L}+)?\\s(?:in total|in all|altogether|insgesamt|gesamt|au total|en tout|en total|in totale|in totaal|no total))|(?:total(?: of)?|insgesamt)[:\\s]+${AMOUNT}`, 'giu');

const numbersOf = (text) => text.split(NO_WORD).filter((word) => /^\p{N}+$/u.test(word));

// takesTotal reports whether a button names a number that its dialog has only as a total, or "all"
// where a line asks for a part of a total.
export function takesTotal(own, lines, text, saysAll) {
  if (!lines.some(hasTotal) && !hasTotal(text)) return false;
  const kept = numbersIn(withoutTotals(text)), all = numbersIn(text);
  if (numbersIn(own).some((n) => all.includes(n) && !kept.includes(n))) return true;
  return saysAll(own) && lines.some((line) => hasTotal(line) && !saysAll(line));
}

// numbersIn returns the numbers of a text, also those within words without spaces.
const numbersIn = (text) => numbersOf(text.replace(/\p{N}+/gu, ' $& '));
