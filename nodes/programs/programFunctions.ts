import { freeName } from "../../common/codeNames.js";
import { isSameName } from "../../common/nearNames.js";
import { only, sameName } from "../../plans/steps/nameArguments.js";
import type { Settings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolGroups } from "../../tools/library/records/groups.js";
import type { ToolRecord } from "../../tools/tool.js";
import { type ToolOffer, offeredOf, plannableTools } from "../shared/offeredTools.js";
import { runWorkspace } from "../workspace/workspace.js";

/** What the program of a run may call. */
export interface ProgramOffer {
  offer: ToolOffer;
  /** Also those that the budget no longer allows, which earlier calls may have called. */
  functions: Map<string, ToolRecord>;
  library: ToolLibrary;
  groups: ToolGroups;
}

/** Reads what the program of a run may call. */
export async function programOffer(options: {
  state: GraphState;
  settings: Settings;
}): Promise<ProgramOffer> {
  const library = await runWorkspace().library(options.settings);
  const offer = await offeredOf(library, options);
  const groups = library.groups();
  const functions = programFunctions(plannableTools(offer).values(), groups);
  return { offer, functions, library, groups };
}

/** Tools by the names that programs call them by: `git.commit`, `add`. */
export function programFunctions(
  tools: Iterable<ToolRecord>,
  groups: Pick<ToolGroups, "functionName">,
): Map<string, ToolRecord> {
  const functions = new Map<string, ToolRecord>();
  for (const tool of tools) functions.set(freeName(groups.functionName(tool), functions), tool);
  return functions;
}

/**
 * The tool a program means by a name, in whatever spelling style: its function's, also without the group, or the tool's
 * own, if no other has that name.
 */
export function functionOf(
  name: string,
  functions: ReadonlyMap<string, ToolRecord>,
): ToolRecord | undefined {
  const exact = functions.get(name);
  if (exact) return exact;
  const known = [...functions.keys()];
  const owners = [...functions].filter(([, tool]) => isSameName(tool.name, name));
  const meant = sameName(name, known) ?? withGroup(name, known) ?? only(owners.map(([key]) => key));
  return functions.get(meant ?? "");
}

function withGroup(member: string, known: readonly string[]): string | undefined {
  return only(known.filter((name) => name.endsWith(`.${member}`)));
}
