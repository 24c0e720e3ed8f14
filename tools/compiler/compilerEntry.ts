import { parentPort } from "node:worker_threads";
import { typeIssues } from "../../plans/program/typeIssues.js";
import { readDraft } from "../generated/readDraft.js";
import { thrownText } from "../runtime/thrownText.js";
import { readFunctions } from "../sources/functions.js";
import { type CompilerQuestion, type CompilerReply, READY } from "./compilerMessages.js";

// Entry of a compiler thread: answers one question at a time.

if (parentPort === null) throw new Error("thread.ts is the entry of a worker thread");
const host = parentPort;

host.on("message", (question: CompilerQuestion) => {
  host.postMessage(answerTo(question), []);
});

host.postMessage(READY, []);

function answerTo(question: CompilerQuestion): CompilerReply {
  try {
    return { reading: readingOf(question) };
  } catch (error) {
    // The compiler is recursive, so too deep nesting exhausts the stack.
    return { thrown: thrownText(error), tooDeep: error instanceof RangeError };
  }
}

function readingOf({ read, request }: CompilerQuestion) {
  if (read === "draft") return readDraft(request);
  return read === "program" ? typeIssues(request) : readFunctions(request);
}
