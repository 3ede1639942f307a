// Whether a button does more than its dialog asks although it uses the verb of the question, or
// continues what the question is about to end.

import { affirmed } from './repeats.js';
import { UNSPACED, askedWords, hasWord, isFormOf, plainLetters } from './stems.js';
import { fold, readable } from './text.js';
import { ASKS, PAST, SENSES, SURE, areAlike, isSmall, phrased, sensesOf, verbIn } from './verbs.js';

// goesBeyond reports whether a button names an object or number that its question does not name:
// "Delete account" under "Delete draft?", "Send to all 900" under "Send to 1 customer?". Other
// sentences of the dialog may supply a number if the question has none, and an object if the
// question has none or the sentence has the same verb. What they deny does not count.
export function goesBeyond(own, verbs, alike, asked, q) {
  const text = affirmed(own, true), has = (word, list) => list.some((s) => hasWord(word, phrased(s)));
  if (FOR_GOOD.test(text) && asked.some((s) => TO_TRASH.test(s)) && !FOR_GOOD.test(q.text)) return true;
  if (UNSPACED.test(text.trim()) && !/\p{sc=Hang}/u.test(text)) return goesBeyondUnspaced(text, verbs, alike, asked.join(' '));
  const isOwn = (word) => !alike.includes(word) && (verbs.length < 2 || !(verbs.includes(word) || LEADS_ON.test(word))) && !isGeneric(word) && !has(word, asked);
  const more = askedWords(phrased(text)).filter((word) => isOwn(word) && !alike.some((verb) => areAlike(word, verb) || isFormOf(word, verb)));
  if (!more.length) return false;
  const numbers = askedWords(asked.join(' ')).filter(isDigits);
  const objects = asked.flatMap((s) => askedWords(phrased(s))).filter((word) => !isDigits(word) && !isGeneric(word) && !alike.some((verb) => areAlike(word, verb) || isFormOf(word, verb)));
  const others = q.others.filter((s) => affirmed(s, true) === s), withVerb = others.filter((s) => alike.some((verb) => has(verb, [s])));
  return more.some((word) => {
    if (ALL_OF.has(word)) return !saysSeveral(asked, numbers, objects);
    if (isDigits(word)) return numbers.length > 0 || !has(word, q.others);
    return !has(word, objects.length ? withVerb : others);
  });
}

// addsMore reports whether a button also does something that its question does not ask: "Save and
// publish" under "Save changes?". Verbs that only close, continue, show or agree do not count, nor
// does saving before what is asked. Nor does a verb that another sentence names together with the
// verb of the question, unless another button has the verb of the question too.
export function addsMore(el, own, wanted, asked, q) {
  const parts = phrased(affirmed(own, true)).split(JOINED).map((part) => (ANOTHER.test(part) ? 'next' : verbIn(part, q.text + own))).filter(Boolean);
  if (parts.length < 2) return false;
  const has = (word, list) => list.some((s) => hasWord(word, phrased(s)));
  const isLike = (verb) => wanted.some((other) => isFormOf(verb, other) || areAlike(verb, other));
  let at = parts.findIndex((verb) => has(verb, asked));
  if (at < 0) at = parts.findIndex(isLike);
  if (at < 0) return false;
  const isAlone = !q.buttons.some((b) => b !== el && askedWords(phrased(readable(b))).some((word) => isFormOf(parts[at], word)));
  const told = isAlone ? q.others.filter((s) => affirmed(s, true) === s && has(parts[at], [s])) : [];
  return parts.some((verb, i) => {
    if (i === at || has(verb, [...asked, ...told]) || LEADS_ON.test(verb)) return false;
    if (sensesOf(verb).has('approve') && isLike(verb)) return false;
    if (i < at && sensesOf(verb).has('keep') && !LEADS_ON.test(parts[at])) return false;
    return ENDS.test(verb) || ENDS_UNSPACED.test(verb) || !addsNothing(verb);
  });
}

function addsNothing(word) {
  if (ALL_OF.has(word) || !UNSPACED.test(word) || /^\p{sc=Hang}/u.test(word)) return isGeneric(word);
  return (word.replace(SURE, '').replace(FILLER, '').match(/\p{L}/gu) ?? []).length < 2;
}

const JOINED = /\s(?:and|und|et|y|e|en|i|a|og|och|и|та|oraz|ve|és|și|și|và|dan|ja|και|then|dann|puis|luego|después|poi|depois|sowie|plus)(?:\s(?:then|dann|ensuite|puis|luego|después|poi|depois))?\s|\s*[&+＋＆;；、，]\s*|,\s+|并|並|且|及|和|[后後](?=.)|して(?=.)|と(?=.)|하고\s|\s(?:및|후)\s/u;
const ANOTHER = /(?<!\p{L})(?:(?:add|create|new|start|enter)\s(?:another|a\snew|new|more|next)|(?:weitere|nächste)[nrs]?\s.*(?:anlegen|erstellen|hinzufügen)|(?:ajouter|créer)\s(?:un\s|une\s)?(?:autre|nouve)|(?:añadir|crear|agregar)\sotr[oa])/iu;
const LEADS_ON = new RegExp('^(?:clos(?:e|ing)|exit|leav|quit|finish|done$|continu|proceed|go(?:ing)?$|return|back$|next|view|open|show|see$|look$|preview|edit(?!ori)|new$|another|more$|confirm|accept|agree|stay|keep|review|check(?!out)|verif|then$|' +
  'schliess|verlass|beend|fertig|weiter|fortfahr|fortsetz|zuruck|nachst|anzeig|anseh|offn|geoffn|vorschau|bearbeit|neue?[nrs]?$|bestatig|akzept|zustimm|annehm|pruf|uberpruf|bleib|dann$|' +
  'ferm|termin(?!at)|poursui|suivant|retour|reven|voir$|affich|ouvr|modifi|nouve|rest(?:er|ez|e)?$|relire|ensuite$|cerr|sal(?:ir|ga)$|finaliz|segu|siguient|volv|ver$|mostr|abr(?:e|ir)$|nuev|otr[oa]|acept|revis|luego$|' +
  'fech|sair$|conclu|prossegu|proxim|voltar|visualiz|novo|aceit|chiud|esci$|uscir|prosegu|avanti|indietro|torn|vedi$|apri|modific|nuov|conferm|accett|rivedi|' +
  'sluit|afsluit|verlat|doorga|verder|volgende|terug|bekijk|toon|bewerk|nieuw|bevestig|controle|zamk|zakoncz|wyjd|wyjsc|kontynu|dalej|wroc|otworz|pokaz|edytuj|nowy|potwierd|zavr|ukonc|odejit|pokrac|zpet|otevr|zobraz|uprav|novy|potvrd|' +
  'закры|выи|покин|заверш|продолж|далее|верну|откры|посмотр|показ|измен|новы|подтверд|проверит|закри|вии|продовж|далі|повер|відкри|перегл|нови|підтверд|' +
  'stang|avslut|lamna|fortsatt|nasta|tillbaka|visa|oppna|rediger|luk|afslut|forlad|fortsaet|naeste|naste|tilba|vis$|abne?$|forlat|fortsett|neste|apne|bekr|sulje|poistu$|lopeta|jatka|seuraava|takaisin|nayta|avaa|muokka|uusi|vahvista|' +
  'kapat|cik$|bitir|devam|ileri|geri|goster|ac$|duzenle|yeni|onayla|bezar|kilep|befejez|folytat|tovabb|vissza|megnyit|uj$|inchid|iesi|contin|inapoi|deschid|κλεισ|εξοδ|συνεχ|ανοιγ|προβολ|tutup|keluar|lanjut|dong|thoat|tiep)|' +
  '^(?:关闭|關閉|退出|离开|離開|继续|繼續|完成|返回|下一步|查看|打开|打開|编辑|編輯|新建|确认|確認|确定|確定|同意|结束|結束|検証|閉じ|終了|離れ|続け|続行|次へ|戻|表示|開|編集|完了|新規|닫|나가|종료|계속|다음|돌아|보기|열기|편집|확인|동의|완료|새로)', 'u');

// What is in the trash can be restored.
const TO_TRASH = /trash|recycle|\bbin\b|papierkorb|corbeille|papelera|cestino|lixeira|prullenbak|kosza|papperskorg|回收站|垃圾桶|ゴミ箱|휴지통/iu;
const FOR_GOOD = /perman|forever|for good|endgültig|dauerhaft|définitiv|definitiv|彻底|永久|完全に|영구/iu;

const isDigits = (word) => /^\p{N}+$/u.test(word);

// saysSeveral reports whether a question is about more than one thing: by "all", a number, or a
// plural in English, French, Spanish or Portuguese.
function saysSeveral(asked, numbers, objects) {
  if (asked.some((s) => askedWords(s).some((word) => ALL_OF.has(word)))) return true;
  return numbers.length ? numbers.some((n) => Number(n) > 1) : objects.some((word) => /\p{L}{2}[^su]s$/u.test(word));
}

// saysAll reports whether a text says "all", in any language.
export const saysAll = (text) => askedWords(text).some((word) => ALL_OF.has(word)) || new RegExp(ALL_UNSPACED, 'u').test(text);

function isGeneric(word) {
  if (ALL_OF.has(word)) return false;
  if (isDigits(word)) return false;
  if (/^\p{sc=Hang}/u.test(word)) return (word.replace(SURE, '').replace(/지금|즉시|영구|항목|선택/gu, '').match(/\p{L}/gu) ?? []).length < 2;
  return word.length < 3 || isSmall(word) || ADDS_NOTHING.has(word);
}

const ALL_OF = new Set('all every everything everyone everybody alle alles allen tout tous toute toutes todo todos todas tutto tutti tutte tudo все всех wszystko wszystkie wszystkich vsechno vsechny vsetko vsetky alla allt alt kaikki kaikkien hepsini tumunu tum osszes minden toate ολα ολους ολες 모두 전체 전부'.split(' '));
const ADDS_NOTHING = new Set([
  'one some good selected selection item items entry entries record records element elements new forever immediately instead too again finally right away into onto only straight',
  'nach von vom zum zur auf aus fur mit beim ins neu neue neuen neues endgultig dauerhaft sofort direkt auswahl ausgewahlte ausgewahlten eintrag eintrage elemente datensatz datensatze',
  'pour dans sur avec par vers maintenant definitivement immediatement nouveau nouvelle selection selectionnes',
  'para por con ahora definitivamente permanentemente inmediatamente nuevo nueva elemento elementos seleccionado seleccionados com agora novo nova itens item selecionado selecionados',
  'per nel nella dal dalla ora adesso subito nuovo nuova elemento elementi selezionati naar voor met van definitief permanent nieuw nieuwe nog direct',
  'till for med fran nuvarande genast uusi nyt teraz trwale nowy nowe dla nyni hned trvale navsegda сеичас навсегда новыи для зараз simdi kalici yeni most vegleg acum definitiv τωρα οριστικα για',
].flatMap((line) => line.split(' ')));

const FILLER = /立即|马上|立刻|直接|永久|彻底|所选|选中|已选|选择|登录|登錄|系统|数据|记录|记錄|条目|内容|项目|新的?|并且?|[并並给給将將把在对對与與和到至为為掉条條出入]|する|すぐに|今すぐ|完全に|項目|選択した|選択/gu;
const ALL_UNSPACED = /全部|所有|全て|全件|すべて|一括|ทั้งหมด/gu;
const SEVERAL = /全部|所有|全て|全件|すべて|一括|这些|這些|选中|所选|选定|選択|これら|们|們|批量|cookies?|多|几|[两二三四五六七八九十百]|(?<!\p{N})(?:[2-9]|\p{N}{2,})/u;

function goesBeyondUnspaced(text, verbs, alike, asked) {
  const said = plainLetters(fold(asked)), own = plainLetters(fold(text));
  const numbers = own.match(/\p{N}+/gu) ?? [], theirs = said.match(/\p{N}+/gu) ?? [];
  if (numbers.some((n) => !theirs.includes(n)) || (new RegExp(ALL_UNSPACED, 'u').test(own) && !SEVERAL.test(said))) return true;
  let rest = own.replace(ALL_UNSPACED, ' ').replace(SURE, ' ').replace(FILLER, ' ').replace(/[^\p{L}\p{M}]+/gu, ' ');
  for (const verb of [...(verbs.length > 1 ? verbs.slice(1) : []), ...unspacedVerbs(alike)]) rest = rest.replaceAll(verb, ' ');
  return rest.split(' ').some((run) => [...ownRuns(run, said)].some((part) => [...part].length > 1));
}

// unspacedVerbs returns the Chinese and Japanese verbs with the same meaning as one of alike.
function unspacedVerbs(alike) {
  const senses = new Set(alike.flatMap((verb) => [...sensesOf(verb)]));
  return Object.entries(SENSES).filter(([sense]) => senses.has(sense)).flatMap(([, stems]) => stems.split(' ').filter((stem) => UNSPACED.test(stem)));
}

// ownRuns returns what is left of a run of letters without the parts of two or more letters that
// said contains.
function ownRuns(run, said) {
  const chars = [...run], runs = [''];
  for (let i = 0; i < chars.length; ) {
    let n = chars.length - i;
    while (n > 1 && !said.includes(chars.slice(i, i + n).join(''))) n--;
    if (n > 1) {
      runs.push('');
      i += n;
    } else runs[runs.length - 1] += chars[i++];
  }
  return runs;
}

// saysGoesOn reports whether a button continues something, and names nothing that it ends.
export function saysGoesOn(own) {
  const text = plainLetters(fold(own));
  return GOES_ON.test(text) && !askedWords(phrased(text)).some((word) => ENDS.test(word)) && !ENDS_UNSPACED.test(text);
}

// asksToEnd reports whether a question, or a title that begins with its verb, is about ending or
// leaving something. It returns false if one of them also asks whether to continue, because a
// button that continues would then be ambiguous.
export function asksToEnd(questions, titles) {
  const isQuestion = (s) => ASKS.test(s.trim());
  if ([...questions, ...titles.filter(isQuestion)].some((s) => GOES_ON.test(plainLetters(fold(s))))) return false;
  return questions.some((s) => namesEnd(s, true)) || titles.some((s) => namesEnd(s, isQuestion(s)));
}

function namesEnd(line, isQuestion) {
  const text = plainLetters(fold(affirmed(line, isQuestion)));
  if (ENDS_UNSPACED.test(text.replace(ENDED, '').split('を').at(-1))) return true;
  const words = askedWords(phrased(text)).filter((word) => (word.length > 2 && !isSmall(word)) || ENDS.test(word)), last = words.at(-1) ?? '';
  const isVerb = (word) => ENDS.test(word) && (isQuestion || !PAST.test(word));
  return words.length > 0 && (isVerb(words[0]) || ((isQuestion || /n$/u.test(last)) && isVerb(last)));
}

const GOES_ON = new RegExp('(?<![\\p{L}\\p{M}])(?:continu|proceed|resum(?:e|ing)|(?:go|going|carry|carrying)\\son(?!\\p{L})|keep\\sgoing|weiter|fortfahr|fortsetz|fortzu|poursui|proseg|prosseg|proced(?:er|i)(?!\\p{L})|' +
  'segu(?:ir|i)(?!\\p{L})|doorga|ga door|verder|kontynu|dalej|pokrac|продолж|продовж|далее|fortsat|fortsaet|fortsett|jatka|folytat|tovabb|devam|συνεχ|lanjut|tiep tuc|nastav|' +
  'המשך|להמשיך|متابعة|استمرار|المتابعة|ادامه)|继\\s*续|繼\\s*續|続け|続行|進む|계속|진행|ดำเนินการต่อ', 'u');
const ENDS = new RegExp('^(?:cancel(?!l?ation|acion|amento)|stop|terminat(?!ion)|leav(?:e|ing)$|quit(?!e)|exit|abort|discontinu|unsubscrib|deactivat|disabl|revok|end(?:s|ing)?$|interrupt|halt(?:e|ing)?$|paus|suspend|withdraw|' +
  'outsign|outopt|disconnect|clos(?:e|ing)$|abandon|' +
  'abbrech|abgebroch|abzubrech|kundig|gekundig|aufkund|zukund|storni|beend|anhalt|angehalt|verlass|abmeld|abgemeld|abbestell|deaktiv|widerruf|unterbrech|unterbroch|pausier|austret|auslogg|schliess|austrag|ausschalt|' +
  'annul|resili|arret|interromp|desabon|desinscri|desactiv|revoq|deconnect|ferm(?:er|are)$|' +
  'deten|parar$|sal(?:ir|ga|es)$|interrump|revoc|finaliz|terminar|cerrar$|baja$|sair$|encerr|desativ|revog|disdi|fermare|esci$|uscire$|sospend|disattiv|terminare|chiud|' +
  'geannul|opzeg|opgezegd|op te zeggen|beeind|verlat|afmeld|uitlogg|onderbre|deactiv|avbryt|avbest|sluta$|avslut|lamna|avsagn|afbryd|opsig|oppsig|afslut|forlad|forlat|avmeld|' +
  'peru(?!s)|keskeyt|lopet|poistu|irtisan|pysayt|anul|przerw|zatrzym|zakoncz|opusc|wyjsc|z?rezygn|wylog|wypow|zrus|zastav|ukonc|opust|prerus|odejit|vypoved|deaktiv|odhlas|' +
  'отмен|отказ|прекра|прерв|останов|заверш|выити|покин|приостанов|отпис|отключ|аннулир|скасув|припин|перерв|зупин|виити|відпис|відключ|' +
  'lemond|megszakit|leallit|kilep|befejez|megszunt|renunt|opri|intrerup|iesi|parasi|inche[ia]|iptal|durdur|sonland|bitir|cik(?:mak|il|is)|ayril|vazgec|' +
  'ακυρω|διακο[πψ]|σταματ|τερματ|αποχωρ|εγκαταλ|αποσυνδ|ל?בטל|לעצור|עצור|לעזוב|לצאת|סיים|לסיים|להפסיק|הפסק|إلغاء|الغاء|تلغي|إيقاف|ايقاف|إنهاء|انهاء|مغادرة|خروج|الخروج|لغو|توقف|batalkan|hentikan|berhenti|keluar)', 'u');
const ENDS_UNSPACED = /取\s*消|停\s*止|终止|終止|中止|中断|退出|离开|離開|退订|退訂|解约|放弃|放棄|撤销|撤回|注销|停用|关闭|關閉|结束|キャンセル|取り?消|取りや|終了|やめ|解約|退会|離れ|脱退|解除|閉じ|ログアウト|취소|중지|중단|종료|해지|나가|나갈|탈퇴|정지|ยกเลิก|หยุด|ออกจาก/u;
// What has ended already: 已取消的订单, キャンセルした注文.
const ENDED = /(?:已\S{0,2}?|(?<=\p{sc=Han}{0,4}))(?:取消|停止|终止|中止|退出|关闭|结束|停用)了?的|已(?:取消|停止|终止|关闭|结束|停用)|(?:キャンセル|取り?消|停止|中止|終了|解約)(?:し(?:た|ました)?|済み?)(?:の)?(?=\p{sc=Han}|\p{sc=Kana})/gu;
