import { EditConflict, LibraryFailed } from "../../../common/errors.js";
import type { ToolRecord } from "../../tool.js";
import { type EditNote, GENERATED_ORIGIN, originOf, type ToolEdit } from "./edits.js";
import { definitionHash } from "./hash.js";
import type { IndexSource } from "../vectors/openIndex.js";
import { findTool, type LibraryPlace, newestVersion } from "./records.js";
import { addTool, beginRevision, putOrigin, removeTool, updateTool } from "./toolRows.js";
import { embedTools, isEmbedded } from "../vectors/vectors.js";

/** The removal of a made tool. */
export interface ToolRemoval {
  id: string;
  /** The version that the editor has read. */
  basedOn: number;
  note: EditNote;
}

/** Adds a made tool or gives it a new version, see `ToolLibrary.put`. */
export async function putTool({
  source,
  edit,
}: {
  source: IndexSource;
  edit: ToolEdit;
}): Promise<ToolRecord> {
  const { name, place, write, model } = source;
  const { tool, basedOn } = edit;
  // Checked before the model is asked, too, so that nobody pays for an edit that cannot be made.
  const made = recordOfEdit({ ...place(), edit });
  if (made) return made;
  requireEditable({ ...place(), name, id: tool.id, basedOn, origin: originOf(tool) });
  if (!isEmbedded({ ...place(), model: model.name, tool })) {
    await embedTools({ write, model, tools: [tool] });
  }
  return await write((now) => writeEdit({ ...now, name, edit }));
}

/** Removes a made tool, see `ToolLibrary.discard`. */
export async function discardTool({
  source,
  removal,
}: {
  source: IndexSource;
  removal: ToolRemoval;
}): Promise<void> {
  const { id, basedOn, note } = removal;
  await source.write((place) => {
    const newest = newestVersion({ ...place, id });
    if (newest?.removed && isSameEdit(newest.note, note)) return;
    requireEditable({ ...place, name: source.name, id, basedOn, origin: GENERATED_ORIGIN });
    removeTool({ ...place, id, note });
    beginRevision(place);
  });
}

/** Checks again, because others may have been faster while the text was embedded. */
function writeEdit({
  name,
  edit,
  ...place
}: LibraryPlace & { name: string; edit: ToolEdit }): ToolRecord {
  const { tool, basedOn, note } = edit;
  const made = recordOfEdit({ ...place, edit });
  if (made) return made;
  const origin = originOf(tool);
  requireEditable({ ...place, name, id: tool.id, basedOn, origin });
  putOrigin({ ...place, origin, fingerprint: "" });
  const stored = findTool({ ...place, id: tool.id });
  const version = stored
    ? updateTool({ ...place, tool, stored, note })
    : addTool({ ...place, origin, tool, note });
  beginRevision(place);
  return { ...tool, version, hash: definitionHash(tool) };
}

/** The version that this very edit has made before: a run that was interrupted asks for it again. */
function recordOfEdit({
  edit,
  ...place
}: LibraryPlace & { edit: ToolEdit }): ToolRecord | undefined {
  const newest = newestVersion({ ...place, id: edit.tool.id });
  const isIt =
    isSameEdit(newest?.note, edit.note) && newest?.record?.hash === definitionHash(edit.tool);
  return isIt ? newest.record : undefined;
}

/** Only the edits of runs can be told apart; a person's are never the same. */
function isSameEdit(made: EditNote | undefined, asked: EditNote): boolean {
  const { threadId, callId } = asked;
  if (threadId === undefined || callId === undefined) return false;
  return made?.threadId === threadId && made.callId === callId;
}

function requireEditable({
  name,
  id,
  basedOn,
  origin,
  ...place
}: LibraryPlace & { name: string; id: string; basedOn: number | null; origin: string }): void {
  const stored = findTool({ ...place, id });
  if (stored && stored.origin !== origin) {
    const kind = origin === GENERATED_ORIGIN ? "tools that a model has written" : "saved plans";
    throw new LibraryFailed({
      library: name,
      problem: `its tool "${id}" comes from ${stored.origin}, and only ${kind} can be edited`,
      hint: "Give the new tool another name, or change the other one where it comes from",
    });
  }
  const found = stored?.version ?? null;
  if (found !== basedOn) throw new EditConflict({ tool: id, basedOn, found });
}
