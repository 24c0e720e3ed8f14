import type { CheckedFunction } from "../../plans/program/foundProblem.js";
import type { Program, ProgramIssue } from "../../plans/program/program.js";
import type { DraftReading } from "../generated/draft.js";
import type { DraftRequest } from "../generated/readDraft.js";
import type { FileReading } from "../sources/functions.js";

/** What a thread with the TypeScript compiler is asked. */
export type CompilerQuestion =
  | { read: "draft"; request: DraftRequest }
  | { read: "functions"; request: { file: string; catalog?: string } }
  | { read: "program"; request: ProgramTypes };

/** A program that a model has written, and the functions that it may call. */
export interface ProgramTypes {
  program: Program;
  functions: readonly CheckedFunction[];
}

/** What it says once it has loaded the compiler. */
export const READY = "ready";

/** What it answers: the reading, or what the compiler threw, after which the thread is not used again. */
export type CompilerReply =
  | { reading: DraftReading | FileReading | ProgramIssue[] }
  | { thrown: string; tooDeep: boolean };
