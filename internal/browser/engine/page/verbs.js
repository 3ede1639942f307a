// Verbs in any language: which one a sentence has, and whether two have the same or opposite
// meanings.

import { UNSPACED, askedWords, folded, isUndone, plainLetters } from './stems.js';

export const PAST = /(?:ed|ing|ert|ees?|[aiu]d[oa]s?|[aiu]t[oaie])$/u; // in "saved searches", nothing is to be saved
export const SENTENCE = /[^.!?。！？؟;；]+[.!?。！？؟;；]*/gu, ASKS = /[?？؟;；]|吗|嗎|か。?$/u;

// Expressions of several words that stand for one verb.
const PHRASES = [
  [/(?<!\p{L})(?:turn|switch|power)(?:ed|ing|s)?\s(?:([^,;:.?!]{1,40}?)\s)?(on|off)(?!\p{L})/giu, (all, what, way) => `${/on/i.test(way) ? 'enable' : 'disable'} ${what ?? ''}`],
  [/(?<!\p{L})(?:go|going|goes)\slive(?!\p{L})|(?<!\p{L})mak(?:e|ing)\s(?:it\s)?public(?!\p{L})/giu, 'publish'],
  [/(?<!\p{L})(?:log(?:ging)?|sign(?:ing)?)\s?-?(?:out|off)(?!\p{L})/giu, 'outsign'],
  [/(?<!\p{L})(?:log(?:ging)?|sign(?:ing)?)\s?-?(in|on)(?!\p{L})/giu, 'insign'],
  [/(?<!\p{L})(?:sign(?:ing)?)\s?-?up(?!\p{L})/giu, 'upsign'],
  [/(?<!\p{L})(?:opt(?:ing)?|check(?:ing)?)\s?-?(in|out)(?!\p{L})/giu, (all, way) => way.toLowerCase() + 'opt'],
  [/(?<!\p{L})try(?:ing)?\s(?:(?:it|this|that)\s)?(?:again|once\smore)(?!\p{L})/giu, 'retry'],
  [/(?<!\p{L})(?:es\s)?(?:erneut|noch\s?einmal|nochmals?|wieder)\s(?:zu\s)?(?:versuchen|probieren)(?!\p{L})|(?<!\p{L})opnieuw\s(?:te\s)?proberen(?!\p{L})|(?<!\p{L})probeer\s(?:het\s)?opnieuw(?!\p{L})/giu, 'retry'],
  [/(?<!\p{L})(?:réessayer|essayer\s(?:à|de)\snouveau|reintentar(?:lo)?|volver\sa\sintentar(?:lo)?|intentar(?:lo)?\s(?:de\snuevo|otra\svez)|riprova(?:re)?|prova(?:re)?\s(?:di\snuovo|ancora)|tentar\s(?:de\snovo|novamente|outra\svez))(?!\p{L})/giu, 'retry'],
  [/(?<!\p{L})(?:spróbuj|spróbować)\sponownie(?!\p{L})|(?<!\p{L})(?:попробовать|повторить)(?:\s(?:снова|ещё\sраз|еще\sраз|попытку))?(?!\p{L})/giu, 'retry'],
  [/再试一次|再試一次|重新尝试|もう一度(?:お)?試し?/gu, '重试'],
  [/다시\s?시도/gu, '재시도'],
  [/(?<!\p{L})(?:throw(?:ing)?\saway|get(?:ting)?\srid\sof|move?(?:ing)?\s(?:it\s)?to\s(?:the\s)?(?:trash|bin))(?!\p{L})/giu, 'delete'],
];

export function phrased(text) {
  return PHRASES.reduce((rest, [what, by]) => rest.replace(what, by), folded(text));
}

const BEFORE_VERB = new Set('yes ok please just now still do i we let us permanently really ja oui si bitte all alle alles tout tous toutes todo todos todas tutti tutte et yap ol'.split(' '));
const LAST = /(?<!\p{L})m[ıiuü](?:s[ıi]n(?:[ıi]z)?|y[ıi]z)?\s*\?|[ıışğ]/iu; // Turkish
const GERMANIC = /[äöüß]|(?<!\p{L})(?:soll|sollen|möchten|wollen|wirklich|sie|der|das|dem|diese\p{L}*|ihre?n?|wilt|weet|het|deze|konto|datei|daten|\p{L}+(?:ung|heit|keit|schaft))(?!\p{L})/iu;

// verbIn returns the verb of a text, or ''. around is the text around it, which shows the language.
export function verbIn(text, around) {
  if (UNSPACED.test(text.trim()) && !/\p{sc=Hang}/u.test(text)) return plainLetters(text.split('を').at(-1).replace(/^(?:全部|全て|すべて|立即|马上|直接|仍然?)/u, '').replace(/[\p{P}\p{S}\s]+/gu, ''));
  const all = askedWords(text), words = all.filter((word) => !BEFORE_VERB.has(word)), last = words.at(-1) ?? '';
  const isLast = LAST.test(around) || (GERMANIC.test(around) && /e?[rl]?n$/u.test(last)) || words.every((w) => /^\p{sc=Hang}/u.test(w));
  return (isLast ? last : words[0]) ?? all[0] ?? '';
}

// The verbs of one meaning, by their beginnings; a short entry is a whole word.
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
  retry: 'retry retries 重试 重試 再試行 リトライ やり直 재시도 wiederhol reessay reintent riprov ponow повтор',
  merge: 'merg combin join unit zusammen',
};
const CONTRARIES = [['keep', 'destroy'], ['keep', 'leave'], ['enable', 'disable'], ['approve', 'reject'], ['start', 'stop'], ['destroy', 'restore'], ['enter', 'leave']];

let stemsOfSense = null;

// sensesOf returns the meanings of a verb, as keys of SENSES.
export function sensesOf(verb) {
  stemsOfSense ??= Object.entries(SENSES).map(([sense, stems]) => [sense, stems.split(' ').map(plainLetters)]);
  const word = verb, senses = new Set();
  if (!word) return senses;
  for (const [sense, stems] of stemsOfSense) {
    if (stems.some((stem) => (UNSPACED.test(stem) ? word.includes(stem) : stem.length > 3 ? word.startsWith(stem) : word === stem))) senses.add(sense);
  }
  return senses;
}

export const isOfSense = (verb, ...senses) => senses.some((sense) => sensesOf(verb).has(sense));

export function areAlike(verb, other) {
  const senses = sensesOf(other);
  return [...sensesOf(verb)].some((sense) => senses.has(sense));
}

// areContrary reports whether two verbs have opposite meanings; pairs with the meaning "aside" do
// not count.
export function areContrary(verb, other, aside) {
  const is = (a, b) => isOfSense(verb, a) && isOfSense(other, b);
  if (CONTRARIES.some(([a, b]) => a !== aside && (is(a, b) || is(b, a)))) return true;
  return isUndone(verb, other) || isUndone(other, verb);
}

// Words of a question that name no action: it only asks whether one is sure, or wants to go on.
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
