import { parentPort } from "node:worker_threads";
import { thrownText } from "../../calls/engine/thrownText.js";
import type { CompilerMessage, CompilerQuestion } from "./compilerThread.js";

// Entry of a compiler thread: answers one question at a time.

if (parentPort === null) throw new Error("compilerEntry.ts is the entry of a worker thread");
const host = parentPort;

host.on("message", (question: CompilerQuestion) => void answer(question));

async function answer(question: CompilerQuestion): Promise<void> {
  try {
    const read = await readerFor(question);
    say("loaded");
    say({ reading: read() });
  } catch (error) {
    // The compiler is recursive, so deep nesting exhausts the stack.
    say({ thrown: thrownText(error), tooDeep: error instanceof RangeError });
  }
}

/** Loads a reader only when it is first needed: most runs only check programs. */
async function readerFor({ read, request }: CompilerQuestion) {
  if (read === "draft") {
    const { readDraft } = await import("../made/readDraft.js");
    return () => readDraft(request);
  }
  if (read === "functions") {
    const { readFunctions } = await import("../functions/functions.js");
    return () => readFunctions(request);
  }
  if (read === "program") {
    const { readProgram } = await import("../../../plans/language/readProgram.js");
    return () => readProgram(request.text, request.options);
  }
  const { typeIssues } = await import("../../../plans/language/typeIssues.js");
  return () => typeIssues(request.program, request.functions);
}

function say(message: CompilerMessage): void {
  host.postMessage(message, []);
}
