import { parentPort } from "node:worker_threads";
import { readyPackage } from "../../../common/keptCode.js";
import { thrownText } from "../engine/thrownText.js";
import type { CompilerMessage, CompilerQuestion } from "./compilerThread.js";

// Entry of a compiler thread: answers one question at a time.

if (parentPort === null) throw new Error("compilerEntry.ts is the entry of a worker thread");
const host = parentPort;

/** By the second answer, programs were read and checked. */
const KEPT_AT = 2;

let answers = 0;
let keep: (() => void) | undefined;

host.on("message", (question: CompilerQuestion) => void answer(question));

async function answer({ module, reader, given }: CompilerQuestion): Promise<void> {
  try {
    keep ??= readyPackage("typescript");
    // Only when it is first needed: most runs only check programs.
    const readers = (await import(module)) as Record<string, (...given: unknown[]) => unknown>;
    say("loaded");
    say({ reading: readers[reader]?.(...given) });
    if (reader !== "" && ++answers === KEPT_AT) keep();
  } catch (error) {
    // The compiler is recursive, so deep nesting exhausts the stack.
    say({ thrown: thrownText(error), tooDeep: error instanceof RangeError });
  }
}

function say(message: CompilerMessage<unknown>): void {
  host.postMessage(message, []);
}
