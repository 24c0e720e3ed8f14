import { z } from "zod";
import type { ProgramIssue } from "../plans/language/program.js";

const issueSchema = z.object({
  line: z.number().int().optional(),
  kind: z.string() as unknown as z.ZodType<ProgramIssue["kind"], ProgramIssue["kind"]>,
  problem: z.string(),
});

/**
 * A write that a person approved. The approval holds as long as the program arrives there with the same tool,
 * defined as it was, and arguments.
 */
const approvedWriteSchema = z.object({
  place: z.string(),
  tool: z.string(),
  definition: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** The person's replacement for the arguments. */
  instead: z.record(z.string(), z.unknown()).optional(),
});
export type ApprovedWrite = z.infer<typeof approvedWriteSchema>;

/** What a call expects to see before it takes a write back; see `Expected`. */
const expectedSchema = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  holds: z.array(z.object({ path: z.array(z.string()), value: z.unknown().optional() })),
  isGone: z.boolean().optional(),
});

/** What a program takes back. */
const undoSchema = z.object({
  /** The writes that it takes back, by the places of the calls that do. */
  steps: z.record(
    z.string(),
    z.object({
      /** The write's entry in the journal. */
      ref: z.string(),
      /** What it had done, in words. */
      says: z.string(),
      /** Why a person should think twice. */
      doubt: z.string().optional(),
      expects: expectedSchema.optional(),
    }),
  ),
  /** What cannot be taken back, and why. */
  cannot: z.array(z.string()),
  /** What is as it was before the write already. */
  already: z.array(z.string()),
});
export type ProgramUndo = z.infer<typeof undoSchema>;

/**
 * The program of a run and its progress. Only the code and the outcomes of its calls are kept, by place as the
 * interpreter names them: the interpreter starts over at each visit.
 */
export const programSchema = z.object({
  code: z.string(),
  /** Number of the program in its run, from 0. */
  generation: z.number().int(),
  /** The day of the run: "2026-03-01". */
  today: z.string(),
  /** What was read as meant rather than as written, one line each. */
  repairs: z.array(z.string()),
  /** Faults to fix before the program can be followed. */
  issues: z.array(issueSchema),
  /** What the model was told to change, oldest first; empty if the issues say it. */
  cues: z.array(z.string()),
  /** What none of the offered tools does, as phrases to search for. */
  lacking: z.array(z.string()),
  /** What this program and earlier ones lacked and the model itself says no tool does. */
  needs: z.array(z.string()),
  /** Ids of its calls, by place. */
  callIds: z.record(z.string(), z.string()),
  /** Ids of reads made ahead of a write to show all writes at once; they are repeated in their turn. */
  aheadIds: z.record(z.string(), z.string()),
  /**
   * For each call made, by place: per argument, the places of the calls whose results went into it. Calls
   * without any are left out.
   */
  origins: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  /** What the model said of values it was asked to look at, by place. */
  looks: z.record(z.string(), z.string()),
  approved: z.array(approvedWriteSchema),
  /** Places of writes that a person removed. */
  skipped: z.array(z.string()),
  /** The writes that a person removed or rejected, of this program and earlier ones. */
  declined: z.array(approvedWriteSchema.pick({ place: true, tool: true, args: true })).optional(),
  /**
   * What comes next: the interpreter, the model (to look at a value or word the answer), or a person (to
   * approve writes).
   */
  next: z.enum(["run", "look", "word", "approve"]),
  /** For a program that takes back what an earlier run has done. */
  undo: undoSchema.optional(),
  /** Why it was abandoned; empty while it is followed. */
  left: z.string(),
});

export type ProgramState = z.infer<typeof programSchema>;

/** A program not yet checked or followed, written after `before`. */
export function freshProgram(
  read: Pick<ProgramState, "code" | "repairs" | "today"> & Partial<ProgramState>,
  before: ProgramState | null,
): ProgramState {
  return {
    generation: before ? before.generation + 1 : 0,
    issues: [],
    cues: before?.cues ?? [],
    lacking: [],
    needs: before?.needs ?? [],
    callIds: {},
    aheadIds: {},
    origins: {},
    looks: {},
    approved: [],
    skipped: [],
    declined: before?.declined ?? [],
    next: "run",
    left: "",
    ...read,
  };
}

/** A person's program in place of another one. */
export function ownProgram(code: string, before: ProgramState): ProgramState {
  return freshProgram({ code, repairs: [], today: before.today }, before);
}
