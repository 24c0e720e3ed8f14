import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { oneLine } from "../../common/errors.js";
import { namedIds } from "../../plans/grounding/valueText.js";
import { issueLine } from "../../plans/language/faultText.js";
import type { PlannedCall } from "../../plans/language/progress.js";
import { wholeResult } from "../shared/wholeResult.js";
import { type Settings, readSettings, MOST_REFLECTIONS } from "../../state/settings.js";
import { freshProgram } from "../../state/program.js";
import type { ApprovedWrite, GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import type { FlowVerdict } from "../../tools/flow/flowVerdict.js";
import { validateArguments } from "../../tools/runtime/calls/validateArguments.js";
import { plannedVerdicts } from "../shared/flowVerdicts.js";
import { type Decision, askDecisions, codeIn } from "../shared/askDecisions.js";
import { needed, type Line, type StageChange, stage } from "../shared/stage.js";
import { programIssues } from "./checkProgram.js";
import {
  type Followed,
  approvedArgs,
  followAhead,
  followProgram,
  writesMade,
} from "./followProgram.js";
import { leaveProgram } from "./programCalls.js";
import { billText } from "./programBounds.js";

/**
 * Shows a person the writes of a program, one by one with their values, before the first is made. Approved
 * writes need no further questions; any write not shown is asked about later. A write the person removes is
 * skipped. A program the person supplies starts over, and its writes are shown too. A rejection with a reason
 * has the program rewritten; without one it ends the run.
 */
export function approveWrites() {
  return stage({ ends: true, lines }, async (state, config) => {
    const program = needed(state.program, { stage: "approveWrites", what: "a program" });
    const settings = readSettings(config);
    const known = await followProgram({ state, program, settings });
    if ("problem" in known) return leaveProgram(program, known.problem);
    const followed = await followAhead({ state, program, followed: known });
    const open = followed.progress.writes.filter((write) => !approvedArgs(program, write));
    const verdicts = await plannedVerdicts({ ...followed, state, program, settings, calls: open });
    const shown = await shownWrites({ state, settings, program, open, followed, verdicts });
    let problem = "";
    while (true) {
      const decision = askWritesApproval(shown, problem);
      const decided = await decide({ decision, open, state, program, settings, config, followed });
      if (typeof decided !== "string") return decided;
      problem = decided;
    }
  });
}

/** The outcome of a decision, or what is wrong with it. */
async function decide(options: {
  decision: WritesDecision;
  open: readonly PlannedCall[];
  state: GraphState;
  program: ProgramState;
  settings: Settings;
  config: LangGraphRunnableConfig;
  followed: Followed;
}): Promise<StateUpdate | string> {
  const { decision } = options;
  if (decision.type === "reject") return rejected({ ...options, reason: decision.message });
  return decision.type === "program"
    ? await ownProgram({ ...options, code: decision.code })
    : decidedWrites({ ...options, each: decision.each });
}

async function shownWrites(options: {
  state: GraphState;
  settings: Settings;
  program: ProgramState;
  open: readonly PlannedCall[];
  followed: Followed;
  verdicts: ReadonlyMap<string, FlowVerdict>;
}): Promise<ShownWrites> {
  const { state, program, open, followed, verdicts } = options;
  const known = resultsOf(program, state);
  return {
    writes: open.map(({ place, tool, args }) => ({
      tool: tool.name,
      args,
      names: namedIds(args, known),
      reason: verdicts.get(place)?.reason,
      schema: followed.tools.get(tool.name)?.parameters,
    })),
    details: {
      program: program.code,
      bill: await billText(options),
      complete: followed.progress.complete,
    },
  };
}

/** Reads made ahead count too: they provide the names of what is shown. */
function resultsOf(program: ProgramState, state: GraphState): unknown[] {
  const ids = new Set(Object.values({ ...program.aheadIds, ...program.callIds }));
  return state.calls.filter(({ id }) => ids.has(id)).map(wholeResult);
}

function asShown({ place, tool, args }: PlannedCall): ApprovedWrite {
  return { place, tool: tool.id, args };
}

function approved(program: ProgramState, writes: ApprovedWrite[], skipped: string[]) {
  // An earlier approval at the same place was of another call.
  const places = new Set(writes.map(({ place }) => place));
  const before = program.approved.filter(({ place }) => !places.has(place));
  return {
    program: {
      ...program,
      approved: [...before, ...writes],
      aheadIds: {},
      skipped: [...program.skipped, ...skipped],
      next: "run" as const,
    },
  };
}

/** The writes as they were decided about one by one, or what is wrong with the decisions. */
function decidedWrites(options: {
  each: readonly Decision[];
  open: readonly PlannedCall[];
  program: ProgramState;
  followed: Followed;
}): StateUpdate | string {
  const { each, open, program, followed } = options;
  const problems: string[] = [];
  const skipped: string[] = [];
  const writes = open.flatMap((call, at): ApprovedWrite[] => {
    const decision = each[at];
    if (decision?.type === "reject") skipped.push(call.place);
    if (decision?.type === "approve") return [asShown(call)];
    if (decision?.type !== "edit") return [];
    const record = needed(followed.tools.get(call.tool.name), {
      stage: "approveWrites",
      what: "its tools",
    });
    const check = validateArguments({ record, args: decision.args });
    if (!check.ok) problems.push(`write ${at}: ${check.problem}`);
    return [{ ...asShown(call), instead: decision.args }];
  });
  return problems.length > 0 ? problems.join("; ") : approved(program, writes, skipped);
}

/** A person's program replacing the model's, or what is wrong with it. */
async function ownProgram(options: {
  code: string;
  state: GraphState;
  program: ProgramState;
  settings: Settings;
  config: LangGraphRunnableConfig;
}): Promise<StateUpdate | string> {
  const { program } = options;
  const { issues, program: read } = await programIssues(options);
  if (!read || issues.length > 0) return issues.map(issueLine).join("; ");
  const { today } = program;
  return { program: freshProgram({ code: read.code, repairs: [], today }, program) };
}

function rejected(options: {
  state: GraphState;
  program: ProgramState;
  settings: Settings;
  followed: Followed;
  reason: string | undefined;
}): StateUpdate {
  const { program, reason } = options;
  if (!reason || program.cues.length >= MOST_REFLECTIONS) {
    const why = reason ? `: ${reason}` : "";
    const made = writesMade(options).length;
    const done = made === 0 ? "Nothing was written." : `Earlier writes stand: ${made}.`;
    return { status: "unsolved", answer: `A person rejected the writes${why}. ${done}` };
  }
  const issue = { kind: "rejected" as const, problem: "a person rejected its writes" };
  const cues = [...program.cues, reason];
  return { program: { ...program, issues: [issue], cues, next: "run" } };
}

/** What a person decided about the writes. */
function lines({ change: { program }, before }: StageChange): Line[] {
  if (!program) return [];
  if (program.issues.length > 0) return [`rejected: ${oneLine(program.cues.at(-1) ?? "")}`];
  if (program.code !== before.program?.code) {
    const code = program.code.trimEnd().split("\n");
    return ["another program:", ...code.map((line) => [{ aside: line }])];
  }
  const skipped = program.skipped.length - (before.program?.skipped.length ?? 0);
  return [skipped > 0 ? `approved without ${skipped} of them` : "approved"];
}

/** What a person decides about a program's writes: the program itself, or each of them. */
type WritesDecision =
  | { type: "reject"; message?: string }
  | { type: "program"; code: string }
  | { type: "writes"; each: Decision[] };

/** What a person is shown when a program has read all it needs and is about to write. */
interface ShownWrites {
  /** The writing calls as they will be made, with their values, in order. */
  writes: {
    tool: string;
    args: Record<string, unknown>;
    /** What ids among the arguments stand for, by id, if a result says so. */
    names: Record<string, string>;
    /** Why a flow rule requires asking; absent if none does. */
    reason?: string;
    /** JSON Schema of the arguments, for whoever edits them. */
    schema?: object;
  }[];
  details: {
    /** The code. */
    program: string;
    /** The program's calls, or their bounds, and their cost. */
    bill: string;
    /** Whether these are all. If not, further writes are asked about when they are known. */
    complete: boolean;
  };
}

/** The action that replaces the program. */
const PROGRAM = "program";

/**
 * Asks a person about a program's writes: pauses the run and returns the decision once it is resumed
 * (`askDecisions`), with one decision for each write, or with an edit of the action `program` whose argument `code`
 * is another program. If all writes are rejected, the program itself is, for all the reasons given.
 */
function askWritesApproval({ writes, details }: ShownWrites, problem: string): WritesDecision {
  const decided = askDecisions({
    kind: "writes",
    actions: writes.map(({ tool, args, names, reason, schema }) => ({
      name: tool,
      args,
      description: [
        ...Object.entries(names).map(([id, name]) => `${id} is “${name}”`),
        ...(reason ? [reason] : []),
      ].join(" · "),
      allowed: ["approve", "edit", "reject"],
      argsSchema: schema,
    })),
    details,
    problem,
    whole: PROGRAM,
  });
  const [first] = decided;
  if (first?.type === "edit" && first.name === PROGRAM)
    return { type: "program", code: codeIn(first.args) };
  const rejections = decided.filter((one) => one.type === "reject");
  if (rejections.length < decided.length) return { type: "writes", each: decided };
  const message = [...new Set(rejections.flatMap(({ message }) => message || []))].join("; ");
  return { type: "reject", ...(message && { message }) };
}
