import module from "node:module";
import { parentPort } from "node:worker_threads";
import { thrownText } from "../engine/thrownText.js";
import { readyCompiler } from "./compilerCode.js";
import type { CompilerMessage, CompilerQuestion } from "./compilerThread.js";

// Entry of a compiler thread: answers one question at a time.

if (parentPort === null) throw new Error("compilerEntry.ts is the entry of a worker thread");
const host = parentPort;

/** Since Node 22.8: what V8 has compiled of the compiler's nine megabytes is kept for later processes. */
const cache = module as { enableCompileCache?: () => unknown; flushCompileCache?: () => void };

cache.enableCompileCache?.();

/** By the second answer, programs were read and checked. */
const KEPT_AT = 2;

let answers = 0;
let keep: (() => void) | undefined;

host.on("message", (question: CompilerQuestion) => void answer(question));

async function answer({ module, reader, given }: CompilerQuestion): Promise<void> {
  try {
    if (!cache.enableCompileCache && !process.env["NODE_DISABLE_COMPILE_CACHE"])
      keep ??= readyCompiler();
    // Only when it is first needed: most runs only check programs.
    const readers = (await import(module)) as Record<string, (...given: unknown[]) => unknown>;
    say("loaded");
    say({ reading: readers[reader]?.(...given) });
    // This thread seldom ends by itself, when it would be written.
    cache.flushCompileCache?.();
    if (reader !== "" && ++answers === KEPT_AT) keep?.();
  } catch (error) {
    // The compiler is recursive, so deep nesting exhausts the stack.
    say({ thrown: thrownText(error), tooDeep: error instanceof RangeError });
  }
}

function say(message: CompilerMessage<unknown>): void {
  host.postMessage(message, []);
}
