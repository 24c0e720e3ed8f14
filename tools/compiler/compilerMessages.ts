import type { CheckedFunction } from "../../plans/language/check/callProblem.js";
import type { Program, ProgramIssue } from "../../plans/language/program.js";
import type { DraftReading } from "../made/draft.js";
import type { DraftRequest } from "../made/readDraft.js";
import type { FunctionsReading } from "../sources/functions.js";

/** A question to a compiler thread. */
export type CompilerQuestion =
  | { read: "draft"; request: DraftRequest }
  | { read: "functions"; request: { file: string; catalog?: string } }
  | { read: "program"; request: ProgramTypes };

/** A model-written program and the functions it may call. */
export interface ProgramTypes {
  program: Program;
  functions: readonly CheckedFunction[];
}

/** What a thread sends for each question: first that the needed code is loaded, then its answer. */
export type CompilerMessage = "loaded" | CompilerAnswer;

/** The reading, or what the compiler threw; after a throw the thread is not used again. */
export type CompilerAnswer =
  | { reading: DraftReading | FunctionsReading | ProgramIssue[] }
  | { thrown: string; tooDeep: boolean };
