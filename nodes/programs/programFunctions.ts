import { freeName, groupOf } from "../../common/codeNames.js";
import { isSameName, plainKey } from "../../common/nearNames.js";
import { parametersOf } from "../../plans/language/program.js";
import { only, sameName } from "../../plans/steps/nameArguments.js";
import { type Settings, MOST_PARAPHRASES } from "../../state/settings.js";
import { type GraphState, type StateUpdate, type Subtask, openSubtask } from "../../state/state.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolGroups } from "../../tools/library/records/groups.js";
import type { ToolRecord } from "../../tools/tool.js";
import { offeredOf } from "../policy/offeredTools.js";
import { type ToolOffer, plannableTools } from "../policy/toolOffer.js";
import { runWorkspace } from "../../home/workspace.js";

export interface ProgramOffer {
  offer: ToolOffer;
  /** Also those that the budget no longer allows, which earlier calls may have called. */
  functions: Map<string, ToolRecord>;
  library: LibraryView;
  groups: ToolGroups;
}

export async function programOffer(state: GraphState, settings: Settings): Promise<ProgramOffer> {
  const library = await runWorkspace().library(settings);
  const offer = offeredOf(library, state, settings);
  const groups = library.groups();
  const functions = programFunctions(plannableTools(offer).values(), groups);
  return { offer, functions, library, groups };
}

/** What a program may call, as the reader takes it. */
export function readingOf(functions: ReadonlyMap<string, ToolRecord>, { list }: ToolGroups) {
  const groups = list.map(({ name }) => name);
  return { functions: parametersOf(functions), groups, isCode: true };
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
 * The tool a program means by a name, in whatever spelling style: its function's, also without the group or with one that
 * does not exist, or the tool's own, if no other has that name.
 */
export function functionOf(
  name: string,
  functions: ReadonlyMap<string, ToolRecord>,
  { toolNamed }: Pick<ToolGroups, "toolNamed">,
): ToolRecord | undefined {
  const exact = functions.get(name);
  if (exact) return exact;
  const known = [...functions.keys()];
  if (groupOf(name) !== undefined) {
    // Whether another group has it, only the whole library tells.
    const meant = toolNamed(name);
    const tool = [...functions.values()].find(({ id }) => id === meant);
    return tool ?? functions.get(sameName(name, known) ?? "");
  }
  const members = known.filter((one) => one.endsWith(`.${name}`));
  const owners = [...functions].filter(([, tool]) => isSameName(tool.name, name));
  return functions.get(
    sameName(name, known) ??
      only(members) ??
      only(owners.map(([key]) => key)) ??
      only(known.filter((one) => plainKey(one) === plainKey(name))) ??
      "",
  );
}

/**
 * Searches for what a plan lacks. What it still lacks although something was found is a miss: it is reworded,
 * and given up after enough attempts. Each plan takes this a level deeper, so it ends.
 */
export function searchesFor(
  state: Pick<GraphState, "subtasks">,
  settings: Settings,
  lacking: readonly string[],
): Required<Pick<StateUpdate, "subtasks" | "queue">> {
  const { subtasks } = state;
  const depth = Math.max(-1, ...subtasks.map((subtask) => subtask.depth)) + 1;
  const known = new Set(subtasks.map(({ text }) => text));
  const fresh = (depth > settings.maxDepth ? [] : lacking)
    .filter((text) => !known.has(text))
    .map((text, at) => openSubtask({ id: `${subtasks.length + at + 1}`, text, depth }));
  const looked = subtasks.map((subtask) =>
    subtask.status === "found" && lacking.includes(subtask.text) ? unfitlyFound(subtask) : subtask,
  );
  return {
    subtasks: [...looked, ...fresh],
    queue: fresh.map(({ id, text }) => ({ phrase: text, subtask: id })),
  };
}

function unfitlyFound(subtask: Subtask): Subtask {
  if (subtask.depth < MOST_PARAPHRASES) return { ...subtask, status: "missed" };
  return { ...subtask, status: "unserved", reason: "the tools found for it do not fit" };
}
