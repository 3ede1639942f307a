// Whether a page holds or shows the files that it was given: in an input, by name or as a picture.

import { COMPLAINING, REFUSES, SHORTENED, TAKES, inFull, namesAny, sayingsIn } from './answers.js';
import { bare, ofOneWidth } from './compare.js';
import { attr, getter, isConnected, isInput, isTag, matches, method, queryAll, rectOf, tagOf } from './dom.js';
import { ancestors, nearest, rootsIn } from './flat.js';
import { fold } from './text.js';
import { isVisible } from './visible.js';

const inputFiles = getter(HTMLInputElement.prototype, 'files');
export const takesFolder = getter(HTMLInputElement.prototype, 'webkitdirectory');
const fileCount = getter(FileList.prototype, 'length'), fileOf = method(FileList.prototype, 'item');
const fileName = getter(File.prototype, 'name'), fileSize = getter(Blob.prototype, 'size');
const folderPath = getter(File.prototype, 'webkitRelativePath'), fileType = getter(Blob.prototype, 'type');
const pixelsWide = getter(HTMLImageElement.prototype, 'naturalWidth'), pixelsHigh = getter(HTMLImageElement.prototype, 'naturalHeight');

export const fileInputs = () => rootsIn(document).flatMap((root) => queryAll(root, 'input[type=file i]'));

export const filesIn = (el) => (isInput(el, 'file') ? listFiles(el) : []);

export const namesIn = (el) => filesIn(el).map((file) => file.name);

// heldNames returns the names of the files that inputs hold: el, and others that did not hold them
// before, as a page may move files to an input of its own. A file of the same name counts if it has
// the same size, or is a non-empty picture or video, as pages make those smaller.
export function heldNames(el, { names, files, held }) {
  const holds = el && isConnected(el) ? filesIn(el) : [];
  holds.push(...fileInputs().filter((n) => n !== el).flatMap((n) => filesIn(n).filter((file) => !held.get(n)?.includes(file.name))));
  return names.filter((name, i) => {
    const was = names.length === files.length ? files[i] : null;
    const at = holds.findIndex((file) => file.name === name && (!was || file.size === was.size || file.size > 0 && FILMED.test(was.type)));
    return at >= 0 && holds.splice(at, 1).length > 0;
  });
}

const FILMED = /^(?:image|video)\//;

// listFiles returns {name, size} of the files of an input, and adds the size and type of each to
// kinds.
export function listFiles(el, kinds = []) {
  const files = inputFiles(el), list = [];
  for (let i = 0; files && i < fileCount(files); i++) {
    const file = fileOf(files, i);
    kinds.push({ size: fileSize(file), type: fileType(file) });
    list.push({ name: folderPath(file) || fileName(file), size: fileSize(file) });
  }
  return list;
}

// lessNames returns names without those in the list "other", each of which removes one name.
export function lessNames(names, other) {
  const rest = [...other];
  return names.filter((name) => {
    const at = rest.indexOf(name);
    return at < 0 || rest.splice(at, 1).length === 0;
  });
}

// listings counts by name the files that inputs hold and a page shows. Files with the same name
// have one entry each, at the same path in the page; a message elsewhere that repeats a name is not
// a second file.
export function listings(held) {
  const places = new Map([['', held.map((name) => [null, name])]]);
  return {
    add(el, found) {
      const place = [...ancestors(el)].map(tagOf).join('>');
      places.set(place, [...(places.get(place) ?? []).filter(([at]) => at !== el), ...found.map((name) => [el, name])]);
    },
    lacking: (names) => names.filter((name, i) => {
      const nth = names.slice(0, i + 1).filter((one) => one === name).length;
      return ![...places.values()].some((entries) => entries.filter(([, one]) => one === name).length >= nth);
    }),
  };
}

// lackingOf returns the files of which a page shows neither the name nor a picture. A picture
// cannot be assigned to a file: there must be one for each file, or for each file that is a
// picture.
export function lackingOf({ names, files }, shown, pictures) {
  const lacking = shown.lacking(names);
  if (!pictures || names.length > 1 && names.length !== files.length) return pictures >= names.length ? [] : lacking;
  const drawn = names.filter((_, i) => FILMED.test(files[i]?.type ?? ''));
  return pictures >= names.length || pictures >= drawn.length && lacking.every((name) => drawn.includes(name)) ? [] : lacking;
}

const PREVIEWS = 'img[src^="blob:"],img[src^="data:"],video[src^="blob:"],canvas,object,embed,iframe[src^="blob:"],[style*="url("]';
const ICON = 64; // px; other inline images of a page are not larger
const RASTER = /^image\/(?:png|jpe?g|webp|gif|avif|bmp)$/;

export const picturesIn = (root) => rootsIn(root).flatMap((r) => queryAll(r, PREVIEWS)).filter(isVisible);

// sourceOf returns the URL of a picture; a canvas is its own source.
export const sourceOf = (el) => (isTag(el, 'canvas') ? el
  : attr(el, isTag(el, 'object') ? 'data' : 'src') ?? /url\(\s*["']?((?:blob|data):[^"')]*)/.exec(attr(el, 'style') ?? '')?.[1] ?? '');

// isPictureOf reports whether el is a picture of one of the files. The page's own pictures, such as
// an icon in an error, or an avatar that is drawn again, do not count.
export function isPictureOf(el, { files, pictures }) {
  if (!matches(el, PREVIEWS) || !isVisible(el)) return false;
  const source = sourceOf(el), box = rectOf(el);
  if (source === el) return box.width >= ICON && box.height >= ICON;
  if (source.startsWith('blob:')) return !pictures.has(source);
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(source) ?? [];
  if (!type) return false;
  if (files.some((file) => file.type === type && data.length === 4 * Math.ceil(file.size / 3))) return true;
  const [wide, high] = isTag(el, 'img') ? [pixelsWide(el), pixelsHigh(el)] : [box.width, box.height];
  return !pictures.has(source) && RASTER.test(type) && files.some((file) => RASTER.test(file.type)) && wide > ICON && high > ICON;
}

// unshownNow returns the files that neither el nor another input holds, and that the page shows
// neither by name nor as a new picture. Names in complaints do not count.
export function unshownNow(what, el) {
  const shown = listings(heldNames(el, what));
  // A single file may have another name in the input, or that of a folder.
  if (what.names.length === 1 && el && filesIn(el).some((file) => !what.names.includes(file.name) && file.size > 0)) return [];
  const pictures = picturesIn(document).filter((n) => !what.pictures.has(sourceOf(n)) && isPictureOf(n, what)).length;
  const isDone = () => lackingOf(what, shown, pictures).length === 0;
  const stems = what.names.map(bare).filter(Boolean);
  // A name may be drawn in two parts, to be shortened between them.
  const mayBePart = (text, data) => text.length > 1 && (SHORTENED.test(data) || stems.some((stem) => text.includes(stem) || stem.includes(text)));
  isDone() || rootsIn(document).some((root) => sayingsIn(root, mayBePart).some((s) => {
    if (isVisible(s.el) && !nearest(s.el, COMPLAINING)) shown.add(s.el, presented(s.text, what));
    return isDone();
  }));
  // A shortened name is often complete in a tooltip.
  isDone() || rootsIn(document).flatMap((root) => queryAll(root, '[title]')).some((tip) => {
    if (namesAny(attr(tip, 'title'), what.names) && isVisible(tip) && !nearest(tip, COMPLAINING)) shown.add(tip, presented(attr(tip, 'title'), what));
    return isDone();
  });
  return lackingOf(what, shown, pictures);
}

// What lists show beside a file name: its kind, its size, its time.
const BESIDES_NAMES = new RegExp('(?:text|image|application|audio|video)/[\\w.+-]+|(?<!\\p{L})(?:' +
  'files?|file ?names?|names?|size|type|documents?|images?|pictures?|photos?|videos?|attachments?|current|new|last|modified|bytes?|[kmgt]i?b|[kmgt]o|octets?|am|pm|' +
  'datei(?:en|name|größe)?|größe|typ|bild(?:er)?|foto|anh[aä]nge?|dokument|fichiers?|nom|taille|pièces? jointes?|archivos?|ficheros?|nombre|tamaño|tipo|im[aá]gen(?:es)?|adjuntos?|arquivos?|ficheiros?|tamanho|image(?:m|ns)|anexos?|allegat[oi]|dimensione|immagin[ei]|plik|bestand|fil|файл|' +
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon|tue|wed|thu|fri|sat|sun|gmt|utc' +
  ')(?!\\p{L})|文件名?称?|檔案|大小|类型|附件|图片|ファイル名?|サイズ|画像|添付|파일명?|크기|첨부|이미지', 'giu');
// A sentence with a restriction may refuse what it names: Only PDF can be added.
const LIMITS = new RegExp('[<>≤≥] ?\\d|^\\s*[✗✘✖❌]|[\\u{1f6ab}⛔⚠]|(?<!\\p{L})(?:' +
  'only|can|could|may(?! ?\\d)|might|must|should|shall|would|please|needs?|require[sd]?|before|until|unless|if|already|first|max|maximum|min|minimum|limit(?:s|ed)?|up to|no|none|nothing|not|never|instead|skip(?:ped|ping)?|ignor(?:ed|ing)|discard(?:ed)?|remov(?:ed|ing)|delet(?:ed|ing)|dropped|except|allowed|supported|expected|empty|duplicate[ds]?|missing|exists?|cancell?ed|aborted|stopped|yet|' +
  'nur|kann|können|könnte|darf|dürfen|muss|müssen|bitte|bereits|schon|kein\\p{L}*|ohne|noch|wenn|falls|erst|leer|zuvor|übersprungen|ignoriert|entfernt|verworfen|erlaubt|zulässig|' +
  'seul(?:e?s?|ement)|uniquement|peu(?:ven)?t|doi(?:ven)?t|veuillez|déjà|aucune?|ne|n|pas|vide|ignorée?s?|avant|si|autorisée?s?|doublon|' +
  's[oó]lo|solamente|pueden?|deben?|favor|ya|ning\\p{L}+|antes|vací[oa]|omitid[oa]|permitid\\p{L}+|só|apenas|somente|podem?|devem?|já|nenhum\\p{L}*|vazi[oa]|ignorad[oa]|può|possono|deve|devono|già|nessun\\p{L}*|prima|vuot[oa]|ignorat[oa]' +
  ')(?!\\p{L})|[未没沒不仅僅只请請空]|重[复複]|已(?:存在|满|滿|取消|拒|删|刪|移除|跳|忽略|损|損|过期|過期)|てください|下さい|できる|ません|ない|のみ|중복|이미|않|못|없|(?:파일|형식)만|세요|십시오', 'iu');
// In "the selected file is a program", the participle only identifies the file.
const WHICH_FILE = /(?<!\p{L})(?:uploaded|added|attached|selected|chosen|picked|saved|imported) (?:files?|images?|photos?|pictures?|documents?|attachments?|videos?)(?!\p{L})|(?<!\p{L})(?:fichiers?|archivos?|ficheros?|arquivos?|ficheiros?|file|imagen|imagem|image|immagine|documento?) (?:sélectionné|ajouté|téléversé|téléchargé|envoyé|subid|añadid|adjuntad|seleccionad|carregad|selecionad|caricat|selezionat)[eoai]?s?(?!\p{L})|(?:選択|追加)(?:した|された)|(?:선택|추가|업로드)(?:한|된|하신) ?파일/giu;
const NAME_MARK = '\u0001';
const LETTERS = /\p{L}{2,}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

// presented returns the names of the files that a text presents as accepted, as often as it names
// them: as a list does, or in a sentence about success. Any other sentence may be a refusal, in
// whatever language.
export function presented(text, { names, said, dropped }) {
  const whole = inFull(text, names);
  if (!namesAny(whole, names)) return [];
  let rest = ofOneWidth(fold(whole));
  const found = [];
  for (const name of [...new Set(names)].filter(bare).sort((a, b) => bare(b).length - bare(a).length)) { // longest first, as one name may contain another
    rest = rest.replace(new RegExp([...bare(name)].join('[\\s\\p{P}\\p{S}\\p{Cf}]*'), 'giu'), () => {
      found.push(name);
      return NAME_MARK;
    });
  }
  // "dropped" may mean discarded, unless the file was dropped on the page.
  if (dropped) rest = rest.replace(/(?<!\p{L})dropped(?!\p{L})/giu, ' ');
  return isPresenting(rest, names, said) ? found : [];
}

// isPresenting reports whether a text, with marks in place of the names, presents them as accepted.
function isPresenting(rest, names, said) {
  if (REFUSES.test(rest)) return false;
  const marked = rest.split(/[.!?。！？]+(?:\s|$)/).filter((sentence) => sentence.includes(NAME_MARK)).join(' ');
  if (LIMITS.test(marked || rest)) return false;
  const endings = names.map((name) => name.split('.').pop().toLowerCase());
  const plain = rest.replace(BESIDES_NAMES, ' ').split(/\s+/).filter((word) => !endings.includes(word.toLowerCase().replace(/\P{L}/gu, ''))).join(' ');
  // A word before a colon that the page showed before is the name of a field.
  const heading = bare(/^([^:：]{1,60})[:：]\s*\u0001/.exec(rest)?.[1] ?? '');
  const unknown = heading && said.includes(heading) ? plain.replace(/^[^:：]*/, '') : plain;
  if (!LETTERS.test(unknown.replace(new RegExp(TAKES, 'giu'), ' '))) return true;
  return TAKES.test(marked.replace(WHICH_FILE, ' '));
}
