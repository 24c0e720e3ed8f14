import { parentPort } from "node:worker_threads";
import { thrownText } from "../runtime/thrownText.js";

/** What a thread says: that it has loaded, and then, for each question in turn, what has come of it. */
export type ThreadReply<Answer> =
  | { is: "loaded" }
  | { is: "answer"; answer: Answer }
  | { is: "failure"; thrown: string };

/** Has this thread answer the questions of `askedThread`, one after another: the last line of its entry. */
export function answerQuestions(answer: (question: never) => unknown): void {
  if (parentPort === null) throw new Error("only a worker thread is asked questions");
  const host = parentPort;
  const say = (reply: ThreadReply<unknown>) => host.postMessage(reply, []);
  let answered = Promise.resolve();
  // What was asked before has waited at the port.
  host.on("message", (question: unknown) => {
    answered = answered.then(async () => say(await replyTo(question)));
  });
  say({ is: "loaded" });

  async function replyTo(question: unknown): Promise<ThreadReply<unknown>> {
    try {
      return { is: "answer", answer: await answer(question as never) };
    } catch (error) {
      return { is: "failure", thrown: thrownText(error) };
    }
  }
}
