/**
 * Greetings, thanks and farewells in several languages, and what is asked of an agent itself. Words that may agree to
 * something, such as "ok" and "great", are not among them.
 */
const PHRASES = [
  "hi|hello|hey|hiya|howdy|greetings|there|all|everyone|again",
  "good (?:morning|afternoon|evening|day|night)",
  "how are you(?: doing)?(?: today)?|how is it going|how s it going|what s up|nice to meet you",
  "(?:many )?thanks(?: a lot| so much| very much| again)?|thank you(?: so much| very much| again)?|thx|ty",
  "bye|goodbye|see you(?: later| soon| tomorrow)?|have a (?:nice|good|great) (?:day|evening|weekend)",
  "who are you|what are you|what can you do(?: for me)?|how can you help(?: me)?",
  "hallo|guten (?:morgen|tag|abend)|moin|servus|grüezi|wie geht(?: es|s)?(?: dir| ihnen)?|danke(?: schön| sehr| dir)?|vielen dank|tschüss|auf wiedersehen",
  "bonjour|bonsoir|salut|merci(?: beaucoup)?|au revoir|ça va",
  "hola|buen(?:os|as) (?:días|tardes|noches)|(?:muchas )?gracias|adiós|ciao|buongiorno|grazie(?: mille)?|olá|obrigad[oa]",
  "привет|здравствуйте|спасибо|cześć|dziękuję|hej|tack|merhaba|teşekkürler",
  "你好|您好|谢谢|こんにちは|ありがとう(?:ございます)?|안녕하세요|감사합니다|مرحبا|السلام عليكم|شكرا|नमस्ते|धन्यवाद",
];

const SMALL_TALK = new RegExp(`^(?:(?:${PHRASES.join("|")})(?: |$))+$`, "u");

/** Longer texts ask for something. */
const LONGEST = 100;

/** Whether a request is a greeting or the like, which words alone answer. */
export function isSmallTalk(request: string): boolean {
  if (request.length > LONGEST) return false;
  const words = request.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return SMALL_TALK.test(words.join(" "));
}
