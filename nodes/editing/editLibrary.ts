import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { EditConflict, LibraryFailed, oneLine } from "../../common/errors.js";
import { type CheckedDraft, checkDraft } from "../shared/checkDraft.js";
import { runWorkspace } from "../workspace/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import type { Edit, EditRecord, GraphState, StateUpdate } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { checkText } from "../../tools/made/checkText.js";
import type { EditNote } from "../../tools/library/records/edits.js";
import { type ToolRecord, writtenCode } from "../../tools/tool.js";
import { threadOf } from "../shared/runBasics.js";
import { needed, stage, type Line, type StageChange } from "../shared/stage.js";
import { type Decision, askDecisions, codeIn } from "../shared/askDecisions.js";
import { toolAnswer } from "../shared/callTexts.js";

/** An edit in progress, and its run. */
interface Editing {
  state: GraphState;
  library: ToolLibrary;
  edit: Edit;
  config: LangGraphRunnableConfig;
  settings: Settings;
}

/** Drafts of one tool before its creation fails. */
const MOST_DRAFTS = 3;

/**
 * Finishes the current edit: checks the draft, tries it in the sandbox, asks a person if writes are approved, and
 * changes the library, at once for everyone who uses it. A faulty draft goes back to `writeTool` with what is
 * wrong and where, up to {@link MOST_DRAFTS} times. A repeated visit changes nothing twice.
 */
export function editLibrary() {
  return stage({ ends: true, lines: endLines }, async (state, config) => {
    const edit = needed(state.edit, { stage: "editLibrary", what: "an edit" });
    const settings = readSettings(config, state);
    const library = await runWorkspace().library(settings);
    const editing = { state, config, settings, library, edit };
    try {
      return await (edit.kind === "delete" ? removeTool(editing) : acceptDraft(editing));
    } catch (error) {
      // Somebody else has changed the tool meanwhile: that is for the model to look at.
      if (!(error instanceof EditConflict || error instanceof LibraryFailed)) throw error;
      return endEdit(editing, { outcome: "failed", tool: edit.tool, reason: error.message });
    }
  });
}

async function acceptDraft(editing: Editing): Promise<StateUpdate> {
  const { edit, library } = editing;
  const made = alreadyMade(editing);
  if (made) return endEdit(editing, made);
  const reused = reusedTool(editing);
  if (reused) return endEdit(editing, { outcome: "reused", tool: reused.id });
  const checked = await check(editing, edit.draft);
  if ("problem" in checked) return anotherDraft(editing, checked.problem);
  const decided = await decide(editing, checked);
  if (decided.type === "reject") return rejected(editing, checked.tool.id, decided);
  const { tool, breaks } = decided.draft;
  const approval = decided.type === "unasked" ? {} : { approval: approvalOf(decided.type) };
  const note = { ...noteOf(editing), ...approval, ...(breaks.length > 0 ? { breaks } : {}) };
  const { version } = await library.put({ tool, basedOn: edit.basedOn, note });
  return endEdit(editing, { outcome: "done", tool: tool.id, version, reason: brokenText(breaks) });
}

/**
 * What this same edit already made, if the process died before the next checkpoint: otherwise the new tool's
 * name would be taken, by itself.
 */
function alreadyMade(editing: Editing): EditEnd | undefined {
  const { library } = editing;
  const { threadId, callId } = noteOf(editing);
  for (const { id, source } of library.list()) {
    if (source.kind !== "generated") continue;
    const { note, version } = library.history(id).at(-1) ?? {};
    if (note?.threadId !== threadId || note?.callId !== callId) continue;
    return { outcome: "done", tool: id, version, reason: brokenText(note?.breaks) };
  }
  return undefined;
}

function brokenText(breaks: readonly string[] = []): string | undefined {
  return breaks.length > 0
    ? `examples that no longer hold, as intended: ${breaks.join("; ")}`
    : undefined;
}

/** The similar tool the model wants to use instead of writing one. */
function reusedTool({ edit, library }: Editing): ToolRecord | undefined {
  const name = /^\s*USE:\s*[`"']?([\w.:-]+?)[`"']?\.?\s*$/im.exec(edit.draft)?.[1];
  return name !== undefined && edit.similar.includes(name) ? library.get(name) : undefined;
}

function anotherDraft(editing: Editing, problem: string): StateUpdate {
  const { edit } = editing;
  const failures = edit.failures + 1;
  if (failures < MOST_DRAFTS) return { edit: { ...edit, failures, problem } };
  const reason = `${failures} drafts could not be used; the last one: ${problem}`;
  return endEdit(
    { ...editing, edit: { ...edit, failures } },
    { outcome: "failed", tool: edit.tool, reason },
  );
}

function check({ state, config, settings, library, edit }: Editing, text: string) {
  return checkDraft({
    library,
    text,
    ...(edit.kind === "update" ? { changes: edit.tool } : {}),
    threadId: threadOf({ state, config }),
    timeoutMs: settings.toolTimeoutMs,
    signal: config.signal,
  });
}

type GoodDraft = Exclude<CheckedDraft, { problem: string }>;

type Decided =
  | { type: "unasked" | "approve" | "edit"; draft: GoodDraft }
  | (EditDecision & { type: "reject" });

/** A change of the library is a write. */
function needsApproval({ approval }: Settings): boolean {
  return approval === "writes" || approval === "plan";
}

/** A person's own code goes through the same checks and comes back to them with what is wrong. */
async function decide(editing: Editing, checked: GoodDraft): Promise<Decided> {
  if (!needsApproval(editing.settings)) return { type: "unasked", draft: checked };
  let problem = "";
  while (true) {
    const decision = askEditApproval(shownEdit(editing, checked), problem);
    if (decision.type === "reject") return decision;
    if (decision.type === "approve") return { type: "approve", draft: checked };
    const own = await check(editing, decision.code);
    if (!("problem" in own)) return { type: "edit", draft: own };
    problem = own.problem;
  }
}

function shownEdit({ edit, library }: Editing, draft: GoodDraft) {
  const { tool, outcomes, breaks } = draft;
  return {
    change: edit.kind,
    tool: tool.id,
    task: edit.task,
    code: tool.source.code,
    details: {
      before: writtenCode(library.get(edit.tool)),
      tests: outcomes.map(({ check }) => `${checkText(tool, check)}: passed`),
      breaks,
    },
  };
}

async function removeTool(editing: Editing): Promise<StateUpdate> {
  const { edit, library, settings } = editing;
  const { tool: id, basedOn } = edit;
  if (needsApproval(settings)) {
    const decision = askEditApproval({
      change: "delete",
      tool: id,
      task: edit.task,
      code: "",
      details: { before: writtenCode(library.get(edit.tool)), tests: [], breaks: [] },
    });
    if (decision.type === "reject") return rejected(editing, id, decision);
  }
  await library.discard({ id, basedOn: basedOn ?? 0, note: noteOf(editing) });
  return endEdit(editing, { outcome: "done", tool: id });
}

function approvalOf(decision: "approve" | "edit"): EditNote["approval"] {
  const made = decision === "approve" ? ("approved" as const) : ("edited" as const);
  return { decision: made, at: new Date().toISOString() };
}

function noteOf({ state, config, settings, edit }: Editing): EditNote {
  return {
    by: settings.model,
    why: edit.task || state.run.request,
    threadId: threadOf({ state, config }),
    callId: edit.callId || `${state.run.id}/${state.edits.length + 1}`,
  };
}

function rejected(editing: Editing, tool: string, { message }: EditDecision & { type: "reject" }) {
  const reason = `a person has rejected it${message ? `: ${message}` : ""}`;
  return endEdit(editing, { outcome: "rejected", tool, reason });
}

/** What a person decides about a change to the library. */
type EditDecision = Exclude<Decision, { type: "edit" }> | { type: "edit"; code: string };

/** A pending change of the library, as a person sees it. */
interface ShownEdit {
  change: Edit["kind"];
  /** Name of the tool. */
  tool: string;
  /** What was requested, in words. */
  task: string;
  /** The new code; empty for a deletion. */
  code: string;
  details: {
    /** The code that it replaces; empty for a new tool. */
    before: string;
    /** Its example calls, in words, with their outcomes. */
    tests: string[];
    /** What the change deliberately breaks of the previous version. */
    breaks: string[];
  };
}

const CHANGE_SCHEMA = {
  type: "object",
  properties: { tool: { type: "string" }, code: { type: "string" } },
  required: ["code"],
};

/** Asks a person about a change to the library: pauses the run and returns the decision once it is resumed. */
function askEditApproval(shown: ShownEdit, problem = ""): EditDecision {
  const { change, tool, task, code, details } = shown;
  const isDeletion = change === "delete";
  const [decision = { type: "reject" }] = askDecisions({
    kind: "edit",
    actions: [
      {
        name: `${change}_tool`,
        args: isDeletion ? { tool } : { tool, code },
        description: task,
        allowed: isDeletion ? ["approve", "reject"] : ["approve", "edit", "reject"],
        argsSchema: CHANGE_SCHEMA,
      },
    ],
    details,
    problem,
  });
  if (decision.type !== "edit") return decision;
  return { type: "edit", code: codeIn(decision.args) };
}

const DONE = { create: "created", update: "changed", delete: "deleted" };

/** The outcome of an edit. */
type EditEnd = Pick<EditRecord, "outcome" | "tool" | "version" | "reason">;

/** Ends an edit: records it, answers the call that asked for it, and updates the tools on offer. */
function endEdit({ state, edit, library }: Editing, end: EditEnd): StateUpdate {
  const { kind, task, failures, callId } = edit;
  const isThere = end.outcome === "done" || end.outcome === "reused";
  const tool = library.get(end.tool);
  const call = { id: callId, name: `${kind}_tool` };
  const told = { text: endText(edit, end, tool), failed: !isThere };
  return {
    edit: null,
    edits: [...state.edits, { kind, task, failures, ...end }],
    ...(isThere && tool ? { toolIds: [...new Set([...state.toolIds, tool.id])] } : {}),
    ...(callId ? { messages: [toolAnswer(call, told)] } : {}),
  };
}

function endText(edit: Edit, end: EditEnd, tool: ToolRecord | undefined): string {
  const { outcome, tool: id, reason } = end;
  if (outcome === "failed") return `the tool was not ${DONE[edit.kind]}: ${reason}`;
  if (outcome === "rejected") return `${reason}. Do not ask for it again.`;
  if (outcome === "reused")
    return `No tool was created: ${id} does this already. It is on offer for this request.`;
  if (edit.kind === "delete") return `${id} was deleted.`;
  return [
    `${tool?.name ?? id} was ${DONE[edit.kind]} and has passed its tests; it is on offer for this request: ${tool?.description ?? ""}`,
    ...(reason ? [`There are ${reason}`] : []),
  ].join("\n");
}

/** The outcome of a draft or change, for a person. */
function endLines({ change, before }: StageChange): Line[] {
  if (change.edit) return ["the draft cannot be used:", ...change.edit.problem.split("\n")];
  const made = (change.edits ?? []).slice(before.edits?.length);
  return made.flatMap(recordLines);
}

function recordLines({ kind, tool, outcome, version, reason }: EditRecord): string[] {
  const why = reason ? oneLine(reason) : "";
  if (outcome === "reused") return [`uses ${tool}, which does this already`];
  if (outcome !== "done") return [`not ${DONE[kind]}: ${why}`];
  const which = version === undefined || kind === "create" ? "" : `, version ${version}`;
  return [`${DONE[kind]} ${tool}${which}`, ...(why ? [why] : [])];
}
