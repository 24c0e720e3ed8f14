import { oneLine } from "../../common/errors.js";
import type { Edit, EditRecord, GraphState, StateUpdate } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { Line, StageChange } from "../shared/stage.js";
import { toolAnswer } from "../shared/toolAnswer.js";

/** An edit about to end, with what it changed. */
export interface EndedEdit {
  state: GraphState;
  library: ToolLibrary;
  edit: Edit;
}

const DONE = { create: "created", update: "changed", delete: "deleted" };

/** The outcome of an edit. */
export type EditEnd = Pick<EditRecord, "outcome" | "tool" | "version" | "reason">;

/** Ends an edit: records it, answers the call that asked for it, and updates the tools on offer. */
export function endEdit({ state, edit, library }: EndedEdit, end: EditEnd): StateUpdate {
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
export function endLines({ change, before }: StageChange): Line[] {
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
