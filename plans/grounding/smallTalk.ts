/**
 * Greetings, thanks and farewells in several languages, and what is asked of an agent itself. Words that may agree to
 * something, such as "ok" and "great", are not among them.
 */
const PHRASES = [
  "hi|hello|hey|hiya|howdy|greetings|there|all|everyone|again",
  "good (?:morning|afternoon|evening|day|night)",
  "how are you(?: doing)?(?: today)?|how is it going|how s it going|what s up|nice to meet you|good to see you",
  "(?:no |many )?thanks(?: a lot| so much| very much| again)?|(?:no )?thank you(?: so much| very much| again)?|thx|ty|for (?:your|the|all your) help|cheers|that(?: is| s) all(?: for now)?",
  "bye|goodbye|see you(?: later| soon| tomorrow)?|have a (?:nice|good|great) (?:day|evening|weekend)",
  "who are you|what are you|what can you do(?: for me)?|how can you help(?: me)?",
  "hallo|guten (?:morgen|tag|abend)|moin|servus|grüezi|wie geht(?: es| s|s)?(?: dir| ihnen)?|danke(?: schön| sehr| dir)?|vielen dank|das war(?: es| s|s)|tschüss|auf wiedersehen",
  "bonjour|bonsoir|salut|merci(?: beaucoup)?|au revoir|coucou|(?:comment )?ça va|comment allez vous|bonne (?:journée|soirée)",
  "hola|buen(?:os|as) (?:días|tardes|noches)|(?:muchas )?gracias|adiós|qué tal|cómo est[aá]s|ciao|buon(?:giorno|asera)|come (?:stai|va)|grazie(?: mille)?|olá|obrigad[oa]|bom dia|boa (?:tarde|noite)|tudo bem",
  "привет|здравствуйте|спасибо|добр(?:ый|ое|ого) (?:день|вечер|утро|дня)|как дела|cześć|dziękuję|hej|tack|merhaba|teşekkürler",
  "你好|您好|早上好|晚上好|谢谢(?:你|您)?|再见|こんにちは|おはよう(?:ございます)?|こんばんは|ありがとう(?:ございます)?|안녕하세요|감사합니다|مرحبا|السلام عليكم|شكرا|नमस्ते|धन्यवाद",
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
