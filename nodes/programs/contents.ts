import { groupOf } from "../../common/codeNames.js";
import { inBrief, oneLine } from "../../common/errors.js";
import { cachedShare, isLocalModel, LEAST_CACHED } from "../../models/prices.js";
import type { Settings } from "../../state/settings.js";
import { estimateTokens } from "../../common/tokens.js";
import { groupsText, type ToolGroup, type ToolGroups } from "../../tools/library/records/groups.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toolView } from "../policy/modelView.js";
import { argumentNames, declarationTokens, linesByGroup } from "./functionDeclarations.js";
import { programFunctions } from "./programFunctions.js";
import { fittingArguments, inTurns, tokensBesides } from "./toldFunctions.js";

/**
 * Most tokens for the list of a library's groups and functions: providers sell what they have cached of a prompt for a
 * tenth, while a local model reads slowly and has a small window.
 */
export const MOST_LISTED = { local: 800, hosted: 2500 };

type Listing = Partial<Pick<Settings, "model" | "toolIds" | "contentsTokens">> & {
  /** How often tools were called, by their ids, the most called first; only for those that are told by use. */
  uses?: ReadonlyMap<string, number>;
};

function mostListed({ model, contentsTokens }: Listing): number {
  return contentsTokens ?? MOST_LISTED[isLocal(model) ? "local" : "hosted"];
}

function isLocal(model: string | undefined): boolean {
  return model === undefined || isLocalModel(model);
}

/** Most groups that are named alone, which tell little: the search names functions of a request. */
const MOST_GROUPS = 25;

/** A library is shown whole only if its declarations take no more tokens. */
const MOST_WHOLE = 8000;

/** The names of more tools fit no list. */
const MOST_TOOLS = 800;

/** Most characters about a group. */
const ABOUT = 60;

/** What a library contains, for the part of a prompt that is the same for all its requests. */
export interface Contents {
  /** A line for each group. */
  text: string;
  /** What it tells: all functions with their arguments, all by name, or groups alone. */
  tells: "signatures" | "names" | "groups";
  /** Where it does not tell the arguments of all functions: those whose arguments it tells. */
  some?: ReadonlySet<string>;
}

type Contained = Pick<LibraryView, "groups" | "list" | "pick" | "size">;

interface Made {
  contents?: Contents;
  /** By what use it tells them. */
  uses?: Listing["uses"];
  /** All functions, if they are not too many to be listed, and the tokens of their declarations. */
  functions?: ReadonlyMap<string, ToolRecord>;
  declared?: number;
}

/** Kept until the tools of a library change, so that prompts begin alike. */
const MADE = new WeakMap<ToolGroups, Map<string, Made>>();

/** Most that is kept of one library. */
const MOST_KEPT = 20;

function madeOf(groups: ToolGroups, listing: Listing): Made {
  const known = MADE.get(groups) ?? new Map<string, Made>();
  MADE.set(groups, known);
  const { toolIds, uses } = listing;
  const key = JSON.stringify([mostListed(listing), isFilled(listing), toolIds, uses !== undefined]);
  const made = known.get(key) ?? {};
  if (known.size >= MOST_KEPT) known.clear();
  known.set(key, made);
  return made;
}

/** Whether contents that cannot name all tell some. */
function isFilled({ model, toolIds, contentsTokens }: Listing): boolean {
  return !toolIds && (!isLocal(model) || contentsTokens !== undefined);
}

/**
 * The functions of a library by group, with the names of their arguments as far as these fit, those that were called
 * most first; of a larger library the groups with their numbers of functions, and some functions of these.
 */
export function contentsOf(library: Contained, listing: Listing): Contents {
  const { toolIds, uses } = listing;
  const groups = library.groups();
  const made = madeOf(groups, listing);
  if (made.contents && made.uses === uses) return made.contents;
  const most = mostListed(listing);
  const used = usesByName(library, uses);
  const functions = (made.functions ??= functionsIn(library, toolIds));
  made.contents =
    (functions && listOf(functions, groups, most, used)) ??
    largestGroups(library, isFilled(listing) ? most : 0, used);
  made.uses = uses;
  return made.contents;
}

/** In the order of registration; undefined if there are too many to be listed. */
function functionsIn(library: Contained, toolIds: Listing["toolIds"]) {
  if ((toolIds?.length ?? library.size) > MOST_TOOLS) return undefined;
  const tools = toolIds ? library.pick(toolIds).values() : library.list();
  return programFunctions(tools, library.groups());
}

function usesByName(library: Contained, uses: Listing["uses"] = new Map()) {
  const { functionName } = library.groups();
  const tools = library.pick([...uses.keys()]);
  return new Map(
    [...uses].flatMap(([id, times]): [string, number][] => {
      const tool = tools.get(id);
      return tool ? [[functionName(tool), times]] : [];
    }),
  );
}

/**
 * The tools of a library that is shown whole, in a fixed order: if its declarations cost no more than its contents and
 * what a search would declare, at the model's price of cached tokens. Undefined for any other.
 */
export async function wholeLibrary(
  library: Contained,
  settings: Listing & Pick<Settings, "model" | "primingTopK">,
): Promise<ToolRecord[] | undefined> {
  const { model, primingTopK, toolIds } = settings;
  if ((toolIds?.length ?? library.size) > primingTopK) return undefined;
  const { text, tells } = contentsOf(library, settings);
  const made = madeOf(library.groups(), settings);
  const { functions = new Map<string, ToolRecord>() } = made;
  const tokens = (made.declared ??= [...functions]
    .map(toolView)
    .reduce((sum, view) => sum + declarationTokens(view), 0));
  if (text === "" || tokens > MOST_WHOLE) return undefined;
  const share = await cachedShare(model);
  const priced = (count: number) => (count >= LEAST_CACHED ? count * share : count);
  const other = priced(estimateTokens(text)) + tokensBesides(tells);
  return priced(tokens) <= other ? [...functions.values()] : undefined;
}

/** The largest groups with their numbers of functions, and as many functions as fit into a number of tokens. */
function largestGroups(
  library: Contained,
  tokens: number,
  uses: ReadonlyMap<string, number>,
): Contents {
  const groups = library.groups();
  const text = groupsText(groups, MOST_GROUPS);
  const members = ["", ...groups.list.map(({ name }) => name)].map(groups.functionsIn);
  const toolsOf = (names: readonly string[]) => {
    const ids = names.map((name) => groups.toolNamed(name) ?? name);
    const tools = library.pick(ids);
    return new Map(names.flatMap((name, at) => withTool(name, tools.get(ids[at] ?? ""))));
  };
  const head = `${text}\n${SOME}\n`;
  const most = tokens - estimateTokens(head);
  const choice = { members, uses, toolsOf };
  const used = fittingArguments(toolsOf([...uses.keys()]), most, false);
  // Functions that nobody has called are worth their tokens only where they make a beginning long enough to be cached.
  const lacking = Math.min(most, LEAST_FILLED - estimateTokens(head));
  const isLong = estimateTokens(linesByGroup(used)) >= lacking;
  const some = isLong ? used : fittingArguments(inTurns(choice), lacking, false);
  const filled = some.size > 0 ? head + linesByGroup(some) : text;
  return { text: filled, tells: "groups", some: new Set(some.keys()) };
}

const SOME = "Some of them:";

/** With so many estimated tokens of contents, providers cache the beginning of a prompt: besides, it has the rules. */
const LEAST_FILLED = 740;

function withTool(name: string, tool: ToolRecord | undefined): [string, ToolRecord][] {
  return tool ? [[name, tool]] : [];
}

/** Undefined if not even the names fit. */
function listOf(
  functions: ReadonlyMap<string, ToolRecord>,
  { list }: ToolGroups,
  most: number,
  uses: ReadonlyMap<string, number>,
): Contents | undefined {
  const heads = new Map(list.map((group) => [group.name, headOf(group)]));
  const names = [...functions.keys()];
  const textWith = (signed: ReadonlyMap<string, string>, isTold = true) =>
    linesByGroup(
      names.map((name) => [name, signed.get(name) ?? ""]),
      isTold ? heads : undefined,
    );
  const all = new Map(Array.from(functions, ([name, tool]) => [name, argumentNames(tool)]));
  const whole = textWith(all);
  if (estimateTokens(whole) <= most) return { text: whole, tells: "signatures" };
  const byGroup = new Map<string, string[]>();
  for (const name of names)
    byGroup.set(groupOf(name) ?? "", [...(byGroup.get(groupOf(name) ?? "") ?? []), name]);
  const members = [...byGroup.values()];
  const toolsOf = (some: readonly string[]) =>
    new Map(some.flatMap((name) => withTool(name, functions.get(name))));
  for (const isTold of [true, false]) {
    const left = most - estimateTokens(textWith(new Map(), isTold));
    if (left < 0) continue;
    const some = fittingArguments(inTurns({ members, uses, toolsOf }), left, true);
    return { text: textWith(some, isTold), tells: "names", some: new Set(some.keys()) };
  }
  return undefined;
}

function headOf({ name, about }: ToolGroup): string {
  const told = inBrief(oneLine(about), ABOUT);
  return told ? `${name} (${told})` : name;
}
