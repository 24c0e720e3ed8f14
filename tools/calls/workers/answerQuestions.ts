import { parentPort } from "node:worker_threads";
import { thrownText } from "../engine/thrownText.js";

/** What a thread says: first that it has loaded, then the outcome of each question, in order. */
export type ThreadReply<Answer> =
  | { is: "loaded" }
  | { is: "answer"; answer: Answer }
  | { is: "failure"; thrown: string };

/** Answers the questions of `askedThread`, one after another. To be called at the end of a thread's entry. */
export function answerQuestions(answer: (question: never) => unknown): void {
  if (parentPort === null) throw new Error("only a worker thread is asked questions");
  const host = parentPort;
  const say = (reply: ThreadReply<unknown>) => host.postMessage(reply, []);
  let answered = Promise.resolve();
  // Earlier questions have waited at the port.
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
