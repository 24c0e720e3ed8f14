import type { Worker } from "node:worker_threads";
import { thrownText } from "../engine/thrownText.js";
import type { ThreadReply } from "./answerQuestions.js";
import { startThread } from "./startThread.js";

/** A question that a thread has not answered. */
export class ThreadFailed extends Error {
  override readonly name = "ThreadFailed";

  /** @param isLoaded whether the thread had finished loading */
  constructor(
    message: string,
    readonly isLoaded: boolean,
  ) {
    super(message);
  }
}

interface Asker<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: ThreadFailed) => void;
}

interface Running<Answer> {
  worker: Worker;
  /** In the order of their questions; answers come in the same order. */
  askers: Asker<Answer>[];
}

/**
 * Makes a function that asks a thread, for work that would block the event loop. The first question starts the
 * thread, which is kept; if it ends, the next question starts another. An idle thread does not keep the process alive.
 *
 * @param entry a module that ends with `answerQuestions`, named as in an import
 * @param idleMs after which a thread without a question ends; by default it stays
 * @returns a function that throws ThreadFailed when the thread cannot be loaded, throws or ends
 */
export function askedThread<Work extends (question: never) => unknown>(
  entry: URL,
  idleMs?: number,
): (question: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  type Answer = Awaited<ReturnType<Work>>;
  let running: Running<Answer> | undefined;
  let ending: NodeJS.Timeout | undefined;
  return (question) => {
    clearTimeout(ending);
    const { worker, askers } = (running ??= start());
    return new Promise((resolve, reject) => {
      askers.push({ resolve, reject });
      worker.ref();
      worker.postMessage(question, []);
    });
  };

  function rest(worker: Worker): void {
    worker.unref();
    if (idleMs === undefined) return;
    ending = setTimeout(() => {
      running = undefined;
      void worker.terminate();
    }, idleMs).unref();
  }

  function start(): Running<Answer> {
    const thread: Running<Answer> = { worker: startThread(entry), askers: [] };
    const { worker, askers } = thread;
    let isLoaded = false;
    worker.on("message", (reply: ThreadReply<Answer>) => {
      isLoaded = true;
      if (reply.is === "loaded") return;
      const asker = askers.shift();
      if (askers.length === 0) rest(worker);
      if (reply.is === "answer") asker?.resolve(reply.answer);
      else asker?.reject(new ThreadFailed(reply.thrown, isLoaded));
    });
    const end = (reason: string) => {
      if (running === thread) running = undefined;
      const error = new ThreadFailed(reason, isLoaded);
      for (const { reject } of askers.splice(0)) reject(error);
    };
    worker.on("error", (error) => end(thrownText(error)));
    worker.on("exit", (code) => end(`the thread ended with ${code}`));
    return thread;
  }
}
