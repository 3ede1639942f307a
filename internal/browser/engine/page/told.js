// Whether a dialog asks for what a button does, or only says that it will happen or has happened:
// "You will be signed out in 60 seconds" is no question.

import { ASKS, SENTENCE, areAlike, isSmall, phrased } from './verbs.js';
import { UNSPACED, askedWords, hasWord, isFormOf, plainLetters } from './stems.js';

// isTold reports whether the sentences of a dialog speak of a verb only as of what happens by
// itself. It returns false if a question only asks whether one is sure. hasContent reports whether a
// question names more than that.
export function isTold(verbs, titles, lines, hasContent) {
  const sentences = sentencesOf([...titles, ...lines]);
  if (sentences.some((s) => ASKS.test(s) && (speaksOf(verbs, s) || (!hasContent(s) && !STILL.test(plainLetters(s)))))) return false;
  const told = sentences.filter((s) => speaksOf(verbs, s));
  return told.some(isStatement) && told.every((s) => isStatement(s) || isNoun(verbs, s));
}

// isUrged reports whether a sentence that is no question begins with a verb of a button, as an
// imperative does: "Reload to get the new version."
export function isUrged(verbs, lines) {
  return sentencesOf(lines).some((s) => !ASKS.test(s) && !isStatement(s) && verbs.some((verb) => begins(verb, s)));
}

const sentencesOf = (lines) => lines.flatMap((line) => line.match(SENTENCE) ?? []).map((s) => s.trim()).filter(Boolean);
const OUT = /(?<!\p{L})(?:log|sign)(?:ged|ned|ed|s)\s?-?(?:out|off)(?!\p{L})/giu; // signed out
const wordsOf = (s) => askedWords(phrased(s.replace(OUT, 'outsign')));

function speaksOf(verbs, s) {
  return verbs.some((verb) => (UNSPACED.test(verb) ? hasWord(verb, s) : wordsOf(s).some((word) => isFormOf(verb, word) || areAlike(verb, word))));
}

// begins reports whether a sentence is an imperative of a verb. In Japanese and Korean, it ends with
// the verb.
function begins(verb, s) {
  const text = plainLetters(s);
  if (!UNSPACED.test(verb)) return wordsOf(s).find((word) => !isSmall(word)) === verb;
  const stem = verb.replace(/(?:する|하기)$/u, ''), at = text.indexOf(stem);
  if (at < 0 || [...stem].length < 2) return false;
  return /^(?:请|請)?(?:您|你)?(?:立即|现在|先)?$/u.test(text.slice(0, at)) || /^(?:して|し|を行って)(?:ください|下さい)|^\s?(?:하세요|하십시오|해\s?주세요|해\s?주십시오)/u.test(text.slice(at + stem.length));
}

// isNoun reports whether a line names a verb only as a noun: "Account deletion". It asks for it if it
// begins with the verb or contains it as the button does.
const isNoun = (verbs, s) => !UNSPACED.test(s) && !verbs.some((verb) => wordsOf(s).includes(verb)) && !CONFIRMS.test(plainLetters(s));
const CONFIRMS = /confirm|bestatig|conferm|bevestig|potwierd|подтвер/u;

// isStatement reports whether a sentence says what happens by itself, and not what the user is about
// to do: "This will delete the file", "If you leave, the draft will be lost".
const isStatement = (s) => {
  const text = plainLetters(s);
  return (WILL.test(text) || WILL_UNSPACED.test(text)) && !OWN.test(text);
};

const WILL = new RegExp('(?<!\\p{L})(?:' + [
  '(?:will|shall|ll|is|are|was|were|be|been|being|gets?|got|has|have|had)(?: \\p{L}+){0,2} (?:log|sign|shut|\\p{L}+(?:ed|en|ost|own))|automatic(?:ally)?|(?:will|going to|about to)(?! (?:you|i))|soon|shortly|scheduled|pending|expire[sd]?',
  'wird|werden|wirst|werdet|wurden?|worden|automatisch\\p{L}*|bald|demnachst|in kurze',
  'sera|seront|serez|seras|sont|etes|a ete|ont ete|avez ete|(?:va|vont|allez) etre|automatique(?:ment)?|bientot',
  'seran|seras|s?e (?:te |le |les )?\\p{L}+(?:ara|eran?|ira|aran|iran)|(?:ha|han) sido|(?:va|van) a|automatic[ao](?:mente)?|pronto',
  'verra|verranno|verrai|sarai|saranno|(?:e|sono) stat[oaie]|automatic[ao](?:mente)?|presto',
  'serao|foi|foram|(?:vai|vao) ser|em breve',
  'wordt|worden|zullen|automatische?|binnenkort',
  'zostan\\p{L}*|zostal\\p{L}*|bedzie\\p{L}*|beda|automatyczn\\p{L}+|wkrotce',
  'буд(?:ет|ут|ете|ешь)|был[аои]?|автоматическ\\p{L}+|скоро',
].join('|') + ')(?!\\p{L})', 'u');
const WILL_UNSPACED = /将|將|[会會]被?|即|已|被|自动|自動|(?:秒|分|分钟|分鐘|小时|小時|时间|時間|天|日)[之以]?[后後]|され(?:ます|ました|る|て)|なります|間もなく|まもなく|しました|됩니다|되었|되며|될|자동|곧|(?:초|분|시간|일)\s?(?:후|뒤)/u;

// What speaks of the action that the user is about to take.
const OWN = new RegExp('^\\P{L}*(?:this|that|these|doing so|it(?= will)|\\p{L}+ing(?! \\p{L}+ (?:is|are) ))(?: (?:action|operation|change|step|\\p{L}+))? will(?!\\p{L})|^\\P{L}*(?:\\p{L}+ing)(?: \\p{L}+){1,3} will(?!\\p{L})|(?<!\\p{L})(?:' + [
  'you (?:will|are (?:about|going) to|re (?:about|going) to|ll)(?! (?:\\p{L}+ly )?(?:be|get|soon))|if you (?:leave|close|exit|quit|continue|proceed|go|navigate|delete|remove|discard|confirm|accept|do this|do so|cancel|switch|change)|(?:once|when) you|(?:by|after) (?:confirm|continu|proceed|delet|remov|leav|clos)ing',
  'dies\\p{L}*(?: aktion| vorgang)?|das (?:wird|loscht|entfernt)|dadurch|damit|hierdurch|dabei|hierbei|wenn sie|falls sie',
  'cette action|cela|ceci|si vous|vous allez (?!etre)|esta accion|esto|si (?:sales?|continuas?|cierras?|usted)|questa azione|questo|cio|se (?:esci|continui|chiudi)|esta acao|isso|se voce|deze actie|dit|hierdoor|hiermee|als (?:u|je)',
  'ta (?:akcja|operacja)|ta czynnosc|spowoduje|jesli|это|эт[аи]|если',
].join('|') + ')(?!\\p{L})|[此该該本]\\s?(?:操作|动作)|^(?:这|這)[将將会會]|如果|若|この操作|これにより|続行すると|すると|この作業|이\\s?작업|하면|할\\s?경우', 'u');

// "Are you still there?" does not ask whether one is sure.
const STILL = /(?<!\p{L})(?:still|noch|immer|encore|toujours|ancora|ainda|aun|todavia|nog|jeszcze|nadal|еще|все)(?!\p{L})|还在|還在|まだ|아직/u;
