import { z } from "zod";
import type { ProgramIssue } from "../plans/program/program.js";

const issueSchema = z.object({
  line: z.number().int().optional(),
  kind: z.string() as unknown as z.ZodType<ProgramIssue["kind"], ProgramIssue["kind"]>,
  problem: z.string(),
});

/** A write that a person has agreed to. It holds while the program comes to the same tool and arguments there. */
const approvedWriteSchema = z.object({
  place: z.string(),
  /** Id of the tool. */
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** What the person has put in the place of the arguments. */
  instead: z.record(z.string(), z.unknown()).optional(),
});
export type ApprovedWrite = z.infer<typeof approvedWriteSchema>;

/**
 * The program of a run, and how far it is followed. Only the code is kept, and by place what came of its calls:
 * the interpreter begins anew at each visit. Places are as the interpreter names them.
 */
export const programSchema = z.object({
  code: z.string(),
  /** Number of the program in its run, from 0. */
  generation: z.number().int(),
  /** The day of the run: "2026-03-01". */
  today: z.string(),
  /** What was read as meant and not as written, one line each. */
  repairs: z.array(z.string()),
  /** What has to be mended before the program can be followed. */
  issues: z.array(issueSchema),
  /** What the model was told to do otherwise, oldest first; empty where the issues say it. */
  cues: z.array(z.string()),
  /** What no tool on offer does, as phrases to search for. */
  lacking: z.array(z.string()),
  /** Of what this program and those before it lacked, what the model itself says that no tool does. */
  needs: z.array(z.string()),
  /** Ids of the calls that were made for it, by place. */
  callIds: z.record(z.string(), z.string()),
  /** Ids of reads that were made ahead of a write, to show all writes at once; they are made anew in their turn. */
  aheadIds: z.record(z.string(), z.string()),
  /**
   * By place of a call that was made, for each argument the places of the calls whose results went into it; calls
   * without any are left out.
   */
  origins: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  /** What the model has said of values that it was to look at, by place. */
  looks: z.record(z.string(), z.string()),
  approved: z.array(approvedWriteSchema),
  /** Places of writes that a person has taken out. */
  skipped: z.array(z.string()),
  /** Who is to go on: the interpreter, the model with a value to look at or an answer to word, or a person with the writes. */
  next: z.enum(["run", "look", "word", "approve"]),
  /** Why it is not followed any further; empty while it is. */
  left: z.string(),
});

export type ProgramState = z.infer<typeof programSchema>;

/** A program that was neither checked nor followed yet, written after `before`. */
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
    next: "run",
    left: "",
    ...read,
  };
}
