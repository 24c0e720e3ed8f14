import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { EditConflict, LibraryFailed, oneLine } from "../../common/errors.js";
import { type CheckedDraft, checkDraft } from "../policy/checkDraft.js";
import { runWorkspace } from "../../home/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import type { Edit, EditRecord, GraphState, StateUpdate } from "../../state/state.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import { checkText } from "../../tools/sources/made/checkText.js";
import type { EditNote } from "../../tools/library/records/edits.js";
import { type ToolRecord, writtenCode } from "../../tools/tool.js";
import { threadOf } from "../kit/runBasics.js";
import { needed, stage, type Line, type StageChange } from "../kit/stage.js";
import { type ReviewedAction, askDecisions, codeIn } from "../policy/askDecisions.js";
import { toolAnswer } from "../policy/callTexts.js";

interface Editing {
  state: GraphState;
  library: LibraryEditor;
  edit: Edit;
  config: LangGraphRunnableConfig;
  settings: Settings;
}

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
  if ("rejected" in decided)
    return endEdit(editing, {
      outcome: "rejected",
      tool: checked.tool.id,
      reason: decided.rejected,
    });
  const { approval } = decided;
  const { tool, breaks } = decided.draft;
  const note = {
    ...noteOf(editing),
    ...(approval ? { approval } : {}),
    ...(breaks.length > 0 ? { breaks } : {}),
  };
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
    threadId: threadOf(state, config),
    timeoutMs: settings.toolTimeoutMs,
    signal: config.signal,
  });
}

type GoodDraft = Exclude<CheckedDraft, { problem: string }>;

/**
 * The draft to take, or why a person has rejected it; asked is only who approves writes. A person's own code goes
 * through the same checks and comes back to them with what is wrong.
 */
async function decide<Draft extends GoodDraft | undefined>(
  editing: Editing,
  draft: Draft,
): Promise<{ rejected: string } | { draft: Draft | GoodDraft; approval?: EditNote["approval"] }> {
  const { approval } = editing.settings;
  if (approval !== "writes" && approval !== "plan") return { draft };
  const asked = { times: 0 };
  let problem = "";
  while (true) {
    const shown = { ...shownEdit(editing, draft), problem, asked };
    const [decision = { type: "reject" }] = askDecisions(shown);
    if (decision.type === "reject") {
      const { message } = decision;
      return { rejected: `a person rejected it${message ? `: ${message}` : ""}` };
    }
    const at = new Date().toISOString();
    if (decision.type === "approve") return { draft, approval: { decision: "approved", at } };
    const own = await check(editing, codeIn(decision.args));
    if (!("problem" in own)) return { draft: own, approval: { decision: "edited", at } };
    problem = own.problem;
  }
}

const CHANGE_SCHEMA: ReviewedAction["argsSchema"] = {
  type: "object",
  properties: { tool: { type: "string" }, code: { type: "string" } },
  required: ["code"],
};

/** A change as a person sees it; without a draft it is a deletion. */
function shownEdit({ edit, library }: Editing, draft: GoodDraft | undefined) {
  const { kind, task } = edit;
  const action: ReviewedAction = {
    name: `${kind}_tool`,
    args: draft ? { tool: draft.tool.id, code: draft.tool.source.code } : { tool: edit.tool },
    description: task,
    allowed: draft ? ["approve", "edit", "reject"] : ["approve", "reject"],
    argsSchema: CHANGE_SCHEMA,
  };
  return {
    kind: "edit" as const,
    actions: [action],
    details: {
      before: writtenCode(library.get(edit.tool)),
      tests: draft?.outcomes.map(({ check }) => `${checkText(draft.tool, check)}: passed`) ?? [],
      breaks: draft?.breaks ?? [],
    },
  };
}

async function removeTool(editing: Editing): Promise<StateUpdate> {
  const { tool: id, basedOn } = editing.edit;
  const decided = await decide(editing, undefined);
  if ("rejected" in decided)
    return endEdit(editing, { outcome: "rejected", tool: id, reason: decided.rejected });
  await editing.library.discard({ id, basedOn: basedOn ?? 0, note: noteOf(editing) });
  return endEdit(editing, { outcome: "done", tool: id });
}

function noteOf({ state, config, settings, edit }: Editing): EditNote {
  return {
    by: settings.model,
    why: edit.task || state.run.request,
    threadId: threadOf(state, config),
    callId: edit.callId || `${state.run.id}/${state.edits.length + 1}`,
  };
}

const DONE = { create: "created", update: "changed", delete: "deleted" };

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
    return `No tool was created, because ${id} already does this. It is on offer for this request.`;
  if (edit.kind === "delete") return `${id} was deleted.`;
  return [
    `${tool?.name ?? id} was ${DONE[edit.kind]} and passed its tests; it is on offer for this request: ${tool?.description ?? ""}`,
    ...(reason ? [`There are ${reason}`] : []),
  ].join("\n");
}

function endLines({ change, before }: StageChange): Line[] {
  if (change.edit) return ["the draft cannot be used:", ...change.edit.problem.split("\n")];
  const made = (change.edits ?? []).slice(before.edits?.length);
  return made.flatMap(recordLines);
}

function recordLines({ kind, tool, outcome, version, reason }: EditRecord): string[] {
  const why = reason ? oneLine(reason) : "";
  if (outcome === "reused") return [`uses ${tool}, which already does this`];
  if (outcome !== "done") return [`not ${DONE[kind]}: ${why}`];
  const which = version === undefined || kind === "create" ? "" : `, version ${version}`;
  return [`${DONE[kind]} ${tool}${which}`, ...(why ? [why] : [])];
}
