import type { WorkerOptions } from "node:worker_threads";
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
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface Asker {
  resolve: (answer: unknown) => void;
  reject: (error: ThreadFailed) => void;
}

/**
 * Starts a thread that answers questions in their order. While it has none, it does not keep the process alive.
 *
 * @param entry a module that calls `answerQuestions`, named as in an import
 */
export function startAsked(entry: URL, options?: WorkerOptions) {
  const worker = startThread(entry, options);
  const askers: Asker[] = [];
  let isLoaded = false;
  let hasEnded = false;
  // It says first that it has loaded.
  const loaded = new Promise<void>((resolve) => worker.once("message", () => resolve()));
  worker.on("message", (reply: ThreadReply<unknown>) => {
    isLoaded = true;
    if (reply.is === "loaded") return;
    const asker = askers.shift();
    if (askers.length === 0) worker.unref();
    if (reply.is === "answer") asker?.resolve(reply.answer);
    else asker?.reject(new ThreadFailed(reply.thrown, isLoaded));
  });
  const lose = (why: string, cause?: unknown) => {
    hasEnded = true;
    for (const { reject } of askers.splice(0)) reject(new ThreadFailed(why, isLoaded, { cause }));
  };
  worker.on("error", (error) => lose(thrownText(error), error));
  worker.on("exit", (code) => lose(`the thread ended with ${code}`));
  return {
    loaded,
    /** @throws ThreadFailed when the thread cannot be loaded, throws or ends */
    ask: (question: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        askers.push({ resolve, reject });
        worker.ref();
        worker.postMessage(question, []);
      }),
    ended: () => hasEnded,
    end: async () => {
      hasEnded = true;
      await worker.terminate();
    },
  };
}

/**
 * Makes a function that asks a thread, for work that would block the event loop. The first question starts the
 * thread, which is kept; if it ends, the next question starts another.
 *
 * @param idleMs after which a thread without a question ends; by default it stays
 * @returns a function that throws ThreadFailed when the thread cannot be loaded, throws or ends
 */
export function askedThread<Work extends (question: never) => unknown>(
  entry: URL,
  idleMs?: number,
): (question: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  let thread: ReturnType<typeof startAsked> | undefined;
  let ending: NodeJS.Timeout | undefined;
  let open = 0;
  return (question) => {
    clearTimeout(ending);
    if (!thread || thread.ended()) thread = startAsked(entry);
    const asked = thread;
    open += 1;
    const answer = asked.ask(question).finally(() => {
      open -= 1;
      if (open === 0 && idleMs !== undefined)
        ending = setTimeout(() => void asked.end(), idleMs).unref();
    });
    return answer as Promise<Awaited<ReturnType<Work>>>;
  };
}
