import { readyPackage } from "../../../common/keptCode.js";
import { answerQuestions } from "../workers/answerQuestions.js";
import type { CompilerQuestion } from "./compilerThread.js";

// Entry of a compiler thread.

/** By the second answer, programs were read and checked. */
const KEPT_AT = 2;

let answers = 0;
const keep = readyPackage("typescript");

answerQuestions(async ({ module, reader, given }: CompilerQuestion) => {
  // Only when it is first needed: most runs only check programs.
  const readers = (await import(module)) as Record<string, (...given: unknown[]) => unknown>;
  const reading = readers[reader]?.(...given);
  if (reader !== "" && ++answers === KEPT_AT) keep();
  return reading;
});
