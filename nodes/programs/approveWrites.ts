import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { oneLine } from "../../common/errors.js";
import { namedIds } from "../../plans/grounding/valueText.js";
import { issueLine, type PlannedCall } from "../../plans/language/progress.js";
import { wholeResult, needed, type Line, type StageChange, stage } from "../kit/stage.js";
import { readSettings, MOST_REFLECTIONS } from "../../state/settings.js";
import { type ProgramUndo, ownProgram } from "../../state/program.js";
import type { ApprovedWrite, ProgramState, StateUpdate } from "../../state/state.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { plannedVerdicts } from "../policy/flowVerdicts.js";
import {
  type Decision,
  type ReviewedAction,
  askDecisions,
  codeIn,
} from "../policy/askDecisions.js";
import { programIssues } from "./checkProgram.js";
import {
  type Following,
  followAhead,
  followProgram,
  isUnapproved,
  recordApprovals,
  withOwnApprovals,
  writesMade,
} from "./followProgram.js";
import { leaveProgram } from "./programCalls.js";
import { billText } from "./programAnswer.js";

/** The action that replaces the program. */
const PROGRAM = "program";

/** A program whose writes are shown, as far as it gets. */
interface Shown extends Following {
  config: LangGraphRunnableConfig;
  /** The writes that nobody has approved yet, in order. */
  open: readonly PlannedCall[];
}

/**
 * Shows a person the writes of a program, one by one with their values, before the first is made. Approved
 * writes need no further questions; any write not shown is asked about later. A write the person removes is
 * skipped. An edit of the action `program`, whose argument `code` is another program, starts over, and its writes
 * are shown too. If all writes are rejected with a reason the program is rewritten; without one the run ends.
 */
export function approveWrites() {
  return stage({ ends: true, lines }, async (given, config) => {
    const state = await withOwnApprovals(given, config);
    const program = needed(state.program, { stage: "approveWrites", what: "a program" });
    const settings = readSettings(config);
    const known = await followProgram(state, program, settings);
    if ("problem" in known) return leaveProgram(program, known.problem);
    const followed = await followAhead(state, program, known);
    const { writes, calls } = followed.progress;
    const places = new Set(writes.map(({ place }) => place));
    const planned = [...writes, ...calls.filter(({ place }) => !places.has(place))];
    const asksItself = ({ tool: { name } }: PlannedCall) => {
      const tool = followed.tools.get(name);
      return tool !== undefined && isSavedPlan(tool);
    };
    const open = planned.filter((call) => isUnapproved(program, followed, call));
    if (open.length === 0)
      return leaveProgram(program, "the writes that were shown are no longer due");
    const shown: Shown = { state, program, settings, config, followed, open };
    const actions = await writeActions(shown);
    const complete = followed.progress.complete && planned.every((call) => !asksItself(call));
    const { undo } = program;
    const notes = undo && notesOf(undo);
    const details = { program: program.code, bill: billText(shown), complete, ...notes };
    const asking = { kind: "writes" as const, actions, details, whole: PROGRAM };
    const asked = { times: 0 };
    let problem = "";
    while (true) {
      const decided = askDecisions({ ...asking, problem, asked });
      const outcome = await outcomeOf(shown, decided);
      if (typeof outcome !== "string") return outcome;
      problem = outcome;
    }
  });
}

/** What a call takes back, and why to think twice. */
function undoText({ undo }: ProgramState, place: string): string | undefined {
  const { says, doubt } = undo?.steps[place] ?? {};
  return says && [`takes back: ${says}`, doubt].filter(Boolean).join("; ");
}

/** What a person is told first. */
function notesOf({ cannot, already }: ProgramUndo): { notes?: string[] } {
  const notes = [
    ...cannot.map((each) => `Cannot be undone: ${each}`),
    ...already.map((each) => `Already as it was before: ${each}`),
  ];
  return notes.length > 0 ? { notes } : {};
}

async function writeActions(shown: Shown): Promise<ReviewedAction[]> {
  const { state, program, followed, open } = shown;
  const verdicts = await plannedVerdicts({ ...shown, tools: followed.tools, calls: open });
  // Reads made ahead count too: they provide the names of what is shown.
  const ids = new Set(Object.values({ ...program.aheadIds, ...program.callIds }));
  const known = state.calls.filter(({ id }) => ids.has(id)).map(wholeResult);
  return open.map(({ place, tool: { name }, args }) => ({
    name,
    args,
    description: [
      ...Object.entries(namedIds(args, known)).map(([id, told]) => `${id} is “${told}”`),
      verdicts.get(place)?.reason,
      undoText(program, place),
    ]
      .filter(Boolean)
      .join(" · "),
    definition: followed.tools.get(name)?.hash,
    allowed: ["approve", "edit", "reject"],
    argsSchema: followed.tools.get(name)?.parameters,
  }));
}

/** The outcome of decisions, or what is wrong with them. */
async function outcomeOf(
  shown: Shown,
  decided: readonly Decision[],
): Promise<StateUpdate | string> {
  const [first] = decided;
  if (first?.type === "edit" && first.name === PROGRAM)
    return await replaced(shown, codeIn(first.args));
  const rejections = decided.filter((one) => one.type === "reject");
  if (rejections.length < decided.length) return await decidedWrites(shown, decided);
  return rejected(shown, [...new Set(rejections.flatMap(({ message }) => message || []))]);
}

/** The writes as they were decided about one by one. */
async function decidedWrites(
  { state, config, program, followed, open }: Shown,
  decided: readonly Decision[],
): Promise<StateUpdate> {
  const skipped = open.flatMap(({ place }, at) => (decided[at]?.type === "reject" ? place : []));
  const writes = open.flatMap(({ place, tool, args }, at): ApprovedWrite[] => {
    const decision = decided[at];
    const wanted = { stage: "approveWrites", what: "its tools" };
    const record = needed(followed.tools.get(tool.name), wanted);
    const write = { place, tool: tool.id, definition: record.hash, args };
    if (decision?.type === "approve") return [write];
    if (decision?.type !== "edit") return [];
    return [{ ...write, instead: decision.args }];
  });
  await recordApprovals(state, config, writes);
  // An earlier approval at the same place was of another call.
  const places = new Set(writes.map(({ place }) => place));
  const before = program.approved.filter(({ place }) => !places.has(place));
  return {
    program: {
      ...program,
      approved: [...before, ...writes],
      aheadIds: {},
      skipped: [...program.skipped, ...skipped],
      declined: declinedBy(program, open, (at) => decided[at]?.type === "reject"),
      next: "run",
    },
  };
}

/** A person's program replacing the model's, or what is wrong with it. */
async function replaced(shown: Shown, code: string): Promise<StateUpdate | string> {
  const { issues, program: read } = await programIssues({ ...shown, code });
  if (!read || issues.length > 0) return issues.map(issueLine).join("; ");
  return { program: ownProgram(read.code, shown.program) };
}

/** What was declined before, and those of the shown writes that are now. */
function declinedBy(
  { declined = [] }: ProgramState,
  open: readonly PlannedCall[],
  isDeclined: (at: number) => boolean,
): ProgramState["declined"] {
  const now = open.filter((_, at) => isDeclined(at));
  return [...declined, ...now.map(({ place, tool, args }) => ({ place, tool: tool.id, args }))];
}

function rejected(shown: Shown, reasons: readonly string[]): StateUpdate {
  const { state, followed, open } = shown;
  const program = { ...shown.program, declined: declinedBy(shown.program, open, () => true) };
  const reason = reasons.join("; ");
  if (!reason || program.undo || program.cues.length >= MOST_REFLECTIONS) {
    const why = reason ? `: ${reason}` : "";
    const made = writesMade(state, program, followed).length;
    const done = made === 0 ? "Nothing was written." : `Earlier writes stand: ${made}.`;
    return { program, status: "unsolved", answer: `A person rejected the writes${why}. ${done}` };
  }
  const issue = { kind: "rejected" as const, problem: "a person rejected its writes" };
  const cues = [...program.cues, reason];
  return { program: { ...program, issues: [issue], cues, next: "run" } };
}

function lines({ change: { program }, before }: StageChange): Line[] {
  if (!program) return [];
  if (program.issues.length > 0) return [`rejected: ${oneLine(program.cues.at(-1) ?? "")}`];
  if (program.code !== before.program?.code) {
    const code = program.code.trimEnd().split("\n");
    return ["another program:", ...code.map((line) => [{ aside: line }])];
  }
  const skipped = program.skipped.length - (before.program?.skipped.length ?? 0);
  return [skipped > 0 ? `approved except for ${skipped}` : "approved"];
}
