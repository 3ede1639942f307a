// Whether a button does what its dialog asks, as far as words show it. A button that is marked
// as the main one proves nothing where the question names one action and the button another.

import { checkVisibility } from './depth.js';
import { TEXT, dataOf, isElement, typeOf } from './dom.js';
import { addsMore, asksToEnd, goesBeyond, saysGoesOn } from './exceeds.js';
import { byCSS, flatKids } from './flat.js';
import { spaced } from './names.js';
import { isVisible } from './ready.js';
import {
  NO_STATEMENT, UNSPACED, affirmed, askedWords, folded, hasWord, isFormOf, notListed, plainLetters, questionAround, repeats,
} from './repeats.js';
import { SHOWN, fold, readable } from './text.js';

// fitOf returns 'does' where the button names what the title or a question of its dialog asks
// for, by its verb or by one of the same sense; 'denied' where it does what they leave out
// ("Save and leave" for "Leave without saving?"); 'contrary' where it does the contrary, or goes on
// where they are about ending something; 'beyond' where it has the verb, but an object of its own;
// 'more' where it does that and another thing; 'other' where they ask for something, and it names something else; null where they ask for nothing.
export function fitOf(el) {
  const q = questionAround(el);
  if (!q) return null;
  const own = readable(el), lines = [...q.titles, ...q.questions], verbs = verbsIn(own, q.text + own);
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
  return asksForSomething(questions, heads) ? 'other' : null;
}

export const PAST = /(?:ed|ing|ert|ees?|[aiu]d[oa]s?|[aiu]t[oaie])$/u; // saved searches are not to be saved
const NOUN = /^\s*\S*\s*$|^\s*\p{L}+\s(?:of|von|vom|der|des|du|de|del|della|do|da)\s/iu; // a title that is no order: Trash, End of trial
export const SENTENCE = /[^.!?。！？؟;；]+[.!?。！？؟;；]*/gu, ASKS = /[?？؟;；]|吗|嗎|か。?$/u;

// linesBeside is the text of an element without that of some in it, box by box.
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

// asksForSomething reports whether a question names an action, beyond whether one is sure; so does a title
// that begins with a verb which is no noun, such as to keep, where one is asked whether one is sure. What asks who, what or when is not
// answered by yes or no.
function asksForSomething(questions, heads) {
  if (questions.some((s) => WH.test(s))) return false;
  return questions.some(hasContent) || (questions.length > 0 && heads.some((verb) => isOfSense(verb, 'keep', 'destroy', 'enable', 'disable', 'approve', 'reject')));
}

const WH = /^[¿\s]*(who|whom|whose|what|which|where|when|why|how|wer|wen|wem|was|welche\p{L}*|wo|wann|warum|wie|qui|que|quoi|quel\p{L}*|où|quand|pourquoi|comment|combien|quién|qué|cuál|dónde|cuándo|cómo|cuánto\p{L}*|chi|quale|dove|quando|perché|quanto|quem|qual|onde|wat|welke|waar|wanneer|waarom|hoe|vad|vem|hvad|hvem|hva|кто|что|какой|где|когда|сколько|kto|co|gdzie|kiedy|jak|ile)(?![\p{L}\p{M}])|^(什么|哪|谁|何|どの|どこ|誰|いつ)/iu;
const AND = /\s(?:and|und|et|y|e|og|och|и|oraz|ve|és|și|và|dan)\s|\s*[&+＋＆]\s*|并|並|且|して(?=.)|하고\s/u;

// verbsIn lists the verbs of a text, one of each part that "and" joins: the first word that is no
// small one, or the last one in languages that put the verb there, as what stands around it shows.
function verbsIn(text, around) {
  return phrased(text).split(AND).map((part) => verbIn(part, around)).filter(Boolean);
}

export function verbIn(text, around) {
  if (UNSPACED.test(text.trim()) && !/\p{sc=Hang}/u.test(text)) return plainLetters(text.split('を').at(-1).replace(/^(?:全部|全て|すべて|立即|马上|直接|仍然?)/u, '').replace(/[\p{P}\p{S}\s]+/gu, ''));
  const all = askedWords(text), words = all.filter((word) => !BEFORE_VERB.has(word)), last = words.at(-1) ?? '';
  const isLast = LAST.test(around) || (GERMANIC.test(around) && /e?[rl]?n$/u.test(last)) || words.every((w) => /^\p{sc=Hang}/u.test(w));
  return (isLast ? last : words[0]) ?? all[0] ?? '';
}

// verbsAsked lists what may be the verbs of a question: the first word that is no small one, and the last one where it looks like an infinitive.
function verbsAsked(sentence) {
  return phrased(sentence).split(AND).flatMap((part) => {
    const words = askedWords(part).filter((word) => !isSmall(word));
    return UNSPACED.test(part.trim()) ? [verbIn(part, '')] : [words[0], ...words.slice(1).slice(-1).filter((word) => /e?[rl]?n$/u.test(word))].filter(Boolean);
  });
}

const BEFORE_VERB = new Set('yes ok please just now still do i we let us permanently really ja oui si bitte all alle alles tout tous toutes todo todos todas tutti tutte et yap ol'.split(' '));
const LAST = /(?<!\p{L})m[ıiuü](?:s[ıi]n(?:[ıi]z)?|y[ıi]z)?\s*\?|[ıışğ]/iu; // Turkish
const GERMANIC = /[äöüß]|(?<!\p{L})(?:soll|sollen|möchten|wollen|wirklich|sie|der|das|dem|diese\p{L}*|ihre?n?|wilt|weet|het|deze|konto|datei|daten|\p{L}+(?:ung|heit|keit|schaft))(?!\p{L})/iu;

// Expressions of several words that stand for one verb.
const PHRASES = [
  [/(?<!\p{L})(?:turn|switch|power)(?:ed|ing|s)?\s(?:([^,;:.?!]{1,40}?)\s)?(on|off)(?!\p{L})/giu, (all, what, way) => `${/on/i.test(way) ? 'enable' : 'disable'} ${what ?? ''}`],
  [/(?<!\p{L})(?:go|going|goes)\slive(?!\p{L})|(?<!\p{L})mak(?:e|ing)\s(?:it\s)?public(?!\p{L})/giu, 'publish'],
  [/(?<!\p{L})(?:log(?:ging)?|sign(?:ing)?)\s?-?(?:out|off)(?!\p{L})/giu, 'outsign'],
  [/(?<!\p{L})(?:log(?:ging)?|sign(?:ing)?)\s?-?(in|on)(?!\p{L})/giu, 'insign'],
  [/(?<!\p{L})(?:sign(?:ing)?)\s?-?up(?!\p{L})/giu, 'upsign'],
  [/(?<!\p{L})(?:opt(?:ing)?|check(?:ing)?)\s?-?(in|out)(?!\p{L})/giu, (all, way) => way.toLowerCase() + 'opt'],
  [/(?<!\p{L})(?:throw(?:ing)?\saway|get(?:ting)?\srid\sof|move?(?:ing)?\s(?:it\s)?to\s(?:the\s)?(?:trash|bin))(?!\p{L})/giu, 'delete'],
];

export function phrased(text) {
  return PHRASES.reduce((rest, [what, by]) => rest.replace(what, by), folded(text));
}

// Verbs of one sense, by how they begin; a short one is whole.
export const SENSES = {
  keep: 'save keep retain preserve speicher behalt aufbewahr enregistr sauvegard conserv garder guard manten manter salv opsla bewar zapisz zapisa zachow uloz сохран spara behall gem lagre tallen kaydet 保存 保留 残す',
  destroy: 'delete remov erase discard drop trash destroy wipe purge shred bin losch geloscht entfern verwerf verworfen vernicht supprim effac jeter elimin borr descart exclu apag remov rimuov cancell scart verwijder wissen usun skasuj odrzu smaz odstran zahod удал стер radera slet poist torol sil kaldir 删除 移除 丢弃 删掉 削除 破棄',
  send: 'send submit mail deliver dispatch post senden absend versend gesendet verschick schick einreich envoy soumet enviar invia verzend stuur wysl odesl отправ skicka laheta gonder 发送 提交 送信 送る',
  publish: 'publish release launch post veroffentlich freigeb publi 发布 發布 公開',
  create: 'create add new make insert anleg angelegt erstell hinzufug cree creer ajout crear anad agreg criar aggiung toevoeg dodaj utworz 新建 添加 创建 新增 追加 作成',
  buy: 'buy purchas pay order outopt kauf bestell bezahl zahlen achet payer command comprar pagar pedir 购买 支付 付款 下单',
  start: 'start begin launch run execut beginn ausfuhr demarr lancer commenc inici empez ejecut avvia 开始 启动 运行 開始 実行',
  stop: 'stop end abort halt terminat quit interrupt beend stopp abbrech anhalt arret detener parar 停止 终止 中止',
  enable: 'enable activat allow permit grant authori trust aktivier einschalt erlaub zulass activ autoris habilit 启用 开启 打开 允许 有効',
  disable: 'disable deactivat deny block deaktivier ausschalt desactiv 停用 禁用 关闭 無効',
  approve: 'approv accept confirm agree authori genehmig annehm bestatig approuv aprob acept 批准 同意 通过 承認',
  reject: 'reject declin deny refus ablehn rejet rechaz 拒绝 驳回',
  invite: 'invit send einlad',
  leave: 'leave exit quit outsign verlass abmeld quitt salir sair uscire esci verlat 离开 退出',
  enter: 'insign anmeld connect 登录',
  restore: 'restor undo revert recover undelet wiederherstell restaur 恢复 还原',
  reset: 'reset clear empty zurucksetz reinit 重置 清空',
  update: 'updat upgrad install reload refresh restart apply aktualisier 更新 升级 安装 刷新',
  replace: 'replac overwrit ersetz uberschreib remplac ecras reemplaz sobrescrib 替换 覆盖',
  move: 'move transfer shift verschieb deplac mover traslad 移动',
  copy: 'copy copi duplicat clone kopier dupli 复制',
  change: 'renam chang edit modif updat ander umbenenn renomm 修改 重命名',
  download: 'export download save herunterlad telecharg descarg 导出 下载',
  upload: 'import upload hochlad 导入 上传',
  finish: 'close finish complet done resolv schliess abschliess ferm termin cerrar finaliz 完成 结束 关闭',
  join: 'subscrib join regist upsign enrol abonn anmeld inscri suscrib',
  merge: 'merg combin join unit zusammen',
};
const CONTRARIES = [['keep', 'destroy'], ['keep', 'leave'], ['enable', 'disable'], ['approve', 'reject'], ['start', 'stop'], ['destroy', 'restore'], ['enter', 'leave']];

let stemsOfSense = null;

export function sensesOf(verb) {
  stemsOfSense ??= Object.entries(SENSES).map(([sense, stems]) => [sense, stems.split(' ').map(plainLetters)]);
  const word = verb, senses = new Set();
  if (!word) return senses;
  for (const [sense, stems] of stemsOfSense) {
    if (stems.some((stem) => (UNSPACED.test(stem) ? word.includes(stem) : stem.length > 3 ? word.startsWith(stem) : word === stem))) senses.add(sense);
  }
  return senses;
}

const isOfSense = (verb, ...senses) => senses.some((sense) => sensesOf(verb).has(sense));

export function areAlike(verb, other) {
  const senses = sensesOf(other);
  return [...sensesOf(verb)].some((sense) => senses.has(sense));
}

function areContrary(verb, other, aside) {
  const is = (a, b) => isOfSense(verb, a) && isOfSense(other, b);
  if (CONTRARIES.some(([a, b]) => a !== aside && (is(a, b) || is(b, a)))) return true;
  return isUndone(verb, other) || isUndone(other, verb);
}

// isUndone reports whether one word is the other behind a syllable that turns it round: unlock, deaktivieren.
export function isUndone(one, two) {
  const [syllable] = TURNS.exec(one) ?? [''], rest = one.slice(syllable.length);
  return syllable !== '' && rest.length > 3 && isFormOf(rest, two);
}

const TURNS = /^(?:un|dis|des|dez|de|ent|ab(?=bestell|kopp|wähl)|aus(?=schalt|blend|log|trag)|in|non|ont|av|af|od|roz|s|απ|απο|ξε|раз|от|вы|роз|від|де)(?=\p{L}{4})/u;

// Words of a question that name no action, and by which it asks only whether one is sure or goes on.
const SMALL = [
  'without are you be is was it this that these those the a an do does did can could will would shall should may might have has really quite absolutely completely truly very sure certain positive want wanted wish like need to and or not no yes ok okay cancel continue continuing proceed proceeding ahead going go on confirm confirming accept please anyway now still we me my our your yours them they there here with for of in at from all any what perform execute action operation request following task ready agree just so permanently then',
  'ohne sie sind bist seid ihr sich dir euch ganz wirklich sicher absolut mochten mochtest mochte wollen willst soll sollen werden wird wurde fortfahren fortsetzen weiter weitermachen trotzdem bestatigen das die der dies diese diesen dieser dieses den dem vorgang aktion nein abbrechen bitte jetzt und oder wir ist durchfuhren ausfuhren dass ihre ihren ein eine einen alle',
  'sans etes vous est que bien vraiment absolument certain certaine certains sur surs sure sures voulez veux souhaitez desirez continuer poursuivre confirmer confirmez cette ces cet les des une vouloir oui non annuler quand meme proceder effectuer votre vos',
  'esta estas usted seguro segura seguros desea deseas quiere quieres realmente continuar seguir proceder confirmar confirma este esta accion operacion los las una cancelar todos modos realizar hacer esto',
  'sei siete sicuro sicura sicuri che vuoi vuole volete davvero veramente continuare procedere confermare conferma questa questo questi azione operazione gli annulla comunque voler eseguire',
  'tem certeza deseja quer quere prosseguir acao operacao sim nao mesmo assim executar isso voce uma',
  'weet het zeker ben bent wilt wil dat doorgaan verder gaan bevestigen deze dit actie annuleren toch echt wel een',
  'saker sikker att vill vil onskar onsker fortsatta fortsaette fortsette bekrafta bekraefte bekrefte denna denne dette detta atgard handling handlingen verkligen virkelig nej nei avbryt annuller anda alligevel likevel det den',
  'oletko oletteko varma että haluat haluatko haluatte varmasti jatkaa jatketaanko vahvista vahvistetaanko tama taman toiminto toiminnon kylla peruuta todella',
  'czy pewno chcesz chce pan pani jestes jest pewien pewna pewny naprawde kontynuowac potwierdzasz potwierdzic czynnosc operacje operacja tak nie anuluj mimo',
  'opravdu naozaj chcete chces jste jsi jisty jista isty pokracovat potvrdit tuto tento akci akciu operaci ano zrusit presto',
  'вы ты уверены уверен уверена точно действительно хотите желаете продолжить подтвердить подтверждаете это эту этот действие операцию что нет отмена все равно',
  'ви впевнені впевнена впевнений справді дійсно хочете бажаєте продовжити підтвердити підтверджуєте цю дію операцію що так',
  'emin misiniz misin musunuz gercekten istiyor istediginizden istediginize devam etmek etmekten edilsin onayliyor islemi islem evet hayir iptal tamam yine',
  'biztos biztosan benne ebben hogy szeretne szeretne akarja akarod folytatja folytatni folytatod megerositi ezt muvelet muveletet igen nem megse valoban tenyleg',
  'sunteti esti sigur sigura siguri doriti doresti vreti vrei continuati continua confirmati aceasta acest actiune operatiune anuleaza chiar',
  'είστε σίγουροι σίγουρος σίγουρη είσαι βέβαιοι θέλετε θέλεις ότι συνεχίσετε συνέχεια συνεχίσω επιβεβαιώνετε αυτή την ναι όχι ακύρωση πραγματικά σίγουρα',
  'האם אתה בטוח בטוחה בטוחים שברצונך ברצונך רוצה להמשיך לאשר זאת פעולה הפעולה ביטול באמת',
  'هل أنت متأكد متأكدة أنك من تريد ترغب حقا فعلا المتابعة الاستمرار متابعة تأكيد هذا هذه الإجراء العملية نعم إلغاء آیا مطمئن هستید خواهید ادامه دهید این عملیات بله خیر',
  'ban chac chan muon khong tiep tuc xac nhan nay hanh dong thuc apakah anda yakin ingin melanjutkan lanjutkan benar mengonfirmasi tindakan ini tidak batal untuk',
];
export const SURE = /你|您|们|我|确定|確定|确认|確認|是否|真的?|需要?|想|要|吗|嗎|么|呢|继续|繼續|执行|執行|进行|進行|操作|此|该|這|这|个|個|项|項|请|請|吧|是|好|可以|同意|仍|然|还|還|否|不|了|取消|的|よろしい|本当|続行|続け|継続|処理|キャンセル|この|その|これ|です|ます|ませんか?|ました|しま|する|さい|くだ|进|進め|[をにはがもので、とかしいよね]|정말로?|계속|진행|수행|확실|확인|취소|하시겠습니까|하겠습니까|하시겠어요|할까요|합니까|한가요|작업|이대로|그래도|แน่ใจ|หรือไม่|หรือ|ไม่|คุณ|ต้องการ|ที่จะ|จะ|ดำเนินการ|ต่อ|ใช่|ไหม|ยืนยัน|จริง|ๆ|นี้|การ|ว่า|ยกเลิก/gu;

let smallWords = null;

export function isSmall(word) {
  smallWords ??= new Set(SMALL.flatMap((line) => line.split(' ').map(plainLetters)));
  return smallWords.has(word);
}

function hasContent(sentence) {
  return askedWords(phrased(sentence)).some((word) => {
    if (UNSPACED.test(word)) return (word.replace(SURE, '').match(/\p{L}/gu) ?? []).length > 1;
    return word.length > 2 && !/^\p{N}/u.test(word) && !isSmall(word);
  });
}
