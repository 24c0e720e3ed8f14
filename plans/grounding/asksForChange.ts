import { plainWords, wordsIn } from "./words.js";

/** Verbs that ask for a change and for nothing else, as one asks: in English the plain form, elsewhere several. */
const CHANGES = {
  english: new Set(wordsIn("commands")),
  others: new Set(wordsIn("commands_elsewhere")),
  unspaced:
    /关闭|删除|发送|预订|转账|退款|取消|分配|閉じて|削除して|送って|送信して|予約して|キャンセルして|振り込んで|닫아|삭제|보내|예약해|취소해/u,
};

/** Before one of these words, the plain form of an English verb asks for what it says. */
const ASKING = new Set("please and then also you now just kindly pls".split(" "));

/** Whether a request asks for a change in words that mean nothing else. */
export function asksForChange(request: string): boolean {
  if (CHANGES.unspaced.test(request)) return true;
  return request.split(/(?<=[.!?;:\n])\s+/).some((sentence) => {
    const said = plainWords(sentence).split(" ");
    const isQuestion = sentence.includes("?");
    return said.some((word, at) => {
      const before = said[at - 1];
      if (CHANGES.english.has(word)) return isQuestion ? before === "you" : isCommand(said, at);
      return !isQuestion && CHANGES.others.has(word);
    });
  });
}

/** "Close it", "please close it", "find them and close them", "I want you to close it", but not "show what to close". */
function isCommand(said: readonly string[], at: number): boolean {
  const before = said[at - 1];
  if (before === "to") return said[0] === "i" || said[0] === "we";
  return before === undefined || ASKING.has(before);
}
