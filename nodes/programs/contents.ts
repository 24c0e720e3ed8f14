import { memberOf } from "../../common/codeNames.js";
import { inBrief, oneLine } from "../../common/errors.js";
import { cachedShare, isLocalModel, LEAST_CACHED } from "../../models/prices.js";
import type { Settings } from "../../state/settings.js";
import { estimateTokens } from "../../common/tokens.js";
import { groupsText, type ToolGroup, type ToolGroups } from "../../tools/library/records/groups.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toolView } from "../policy/modelView.js";
import {
  argumentNames,
  declarationTokens,
  groupOf,
  linesByGroup,
  MOST_DECLARED,
} from "./functionDeclarations.js";
import { programFunctions } from "./programFunctions.js";

/**
 * Most tokens for the list of a library's groups and functions: providers sell what they have cached of a prompt for a
 * tenth, while a local model reads slowly and has a small window.
 */
export const MOST_LISTED = { local: 800, hosted: 2500 };

/** What decides how much is listed. */
type Listing = Partial<Pick<Settings, "model" | "toolIds" | "contentsTokens">>;

function mostListed({ model, contentsTokens }: Listing): number {
  return contentsTokens ?? MOST_LISTED[isLocal(model) ? "local" : "hosted"];
}

function isLocal(model: string | undefined): boolean {
  return model === undefined || isLocalModel(model);
}

/** Most groups that are named alone, which tell little: the search names functions of a request. */
const MOST_GROUPS = 25;

/** Most tokens for functions near a request, in a library that is too large to list: up to when each kind is added. */
const MOST_NEARBY = { signatures: 200, groups: 450, names: 700 };

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
  /** Of a library that is too large to be listed: the functions that are told all the same, with their arguments. */
  some?: ReadonlySet<string>;
}

type Contained = Pick<LibraryView, "groups" | "list" | "pick" | "size">;

/** A small library, as prompts show it. */
interface SmallLibrary {
  /** By the names of their functions, in the order of registration. */
  functions: ReadonlyMap<string, ToolRecord>;
  /** Tokens of all their declarations. */
  tokens: number;
  contents: Contents | undefined;
}

/** Kept until the tools of a library change, by what of them is listed. */
const SMALL = new WeakMap<ToolGroups, Map<string, SmallLibrary>>();

/** Most selections of one library's tools that are kept. */
const MOST_KEPT = 20;

function smallLibrary(library: Contained, listing: Listing): SmallLibrary | undefined {
  const { toolIds } = listing;
  if ((toolIds?.length ?? library.size) > MOST_TOOLS) return undefined;
  const most = mostListed(listing);
  const groups = library.groups();
  const kept = SMALL.get(groups) ?? new Map<string, SmallLibrary>();
  SMALL.set(groups, kept);
  const key = JSON.stringify([most, toolIds]);
  const tools = () => (toolIds ? [...library.pick(toolIds).values()] : library.list());
  const small = kept.get(key) ?? smallOf(tools(), groups, most);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, small);
  return small;
}

function smallOf(tools: readonly ToolRecord[], groups: ToolGroups, most: number): SmallLibrary {
  const functions = programFunctions(tools, groups);
  const views = [...functions].map(toolView);
  const tokens = views.reduce((sum, view) => sum + declarationTokens(view), 0);
  return { functions, tokens, contents: wholeContents(functions, groups, most) };
}

/**
 * The tools of a library that is shown whole, in a fixed order: if its declarations cost no more than its contents and
 * what a search would declare, at the model's price of cached tokens. Undefined for any other.
 */
export async function wholeLibrary(
  library: Contained,
  settings: Listing & Pick<Settings, "model" | "primingTopK">,
): Promise<ToolRecord[] | undefined> {
  const { model, primingTopK } = settings;
  const small = smallLibrary(library, settings);
  if (!small?.contents?.text || small.functions.size > primingTopK) return undefined;
  if (small.tokens > MOST_WHOLE) return undefined;
  const share = await cachedShare(model);
  const priced = (tokens: number) => (tokens >= LEAST_CACHED ? tokens * share : tokens);
  const { text, tells } = small.contents;
  const other = priced(estimateTokens(text)) + MOST_DECLARED[tells];
  return priced(small.tokens) <= other ? [...small.functions.values()] : undefined;
}

/**
 * The functions of a library by group, with the names of their arguments as far as these fit; of a larger library the
 * groups with their numbers of functions; of a still larger one the largest of these.
 */
export function contentsOf(library: Contained, listing: Listing): Contents {
  const contents = smallLibrary(library, listing)?.contents;
  if (contents) return contents;
  const groups = library.groups();
  const text = groupsText(groups, MOST_GROUPS);
  const { model, toolIds, contentsTokens } = listing;
  if (toolIds || (isLocal(model) && contentsTokens === undefined)) return { text, tells: "groups" };
  const most = mostListed(listing) - estimateTokens(text);
  const kept = FILLED.get(groups);
  if (kept?.most === most) return kept.contents;
  const some = someFunctions(library, groups, most);
  const lines = some.size > 0 ? `\n${SOME}\n${linesByGroup(some)}` : "";
  const filled: Contents = { text: text + lines, tells: "groups", some: new Set(some.keys()) };
  FILLED.set(groups, { most, contents: filled });
  return filled;
}

/** Kept until the tools of a library change, so that prompts begin alike. */
const FILLED = new WeakMap<ToolGroups, { most: number; contents: Contents }>();

const SOME = "Some of them:";

/** Functions with their arguments, as many of each group as possible, those of the largest groups first. */
function someFunctions(
  library: Contained,
  { list, functionsIn, toolNamed }: ToolGroups,
  tokens: number,
): ReadonlyMap<string, string> {
  const sizes = list.toSorted((one, other) => other.size - one.size);
  const members = ["", ...sizes.map(({ name }) => name)].map(functionsIn);
  const longest = Math.max(...members.map(({ length }) => length));
  const some = new Map<string, string>();
  let left = tokens * 4;
  for (let rank = 0; rank < longest; rank += 1) {
    const names = members.flatMap((functions) => functions[rank] ?? []);
    const ids = new Map(names.map((name) => [name, toolNamed(name) ?? name]));
    const tools = library.pick([...ids.values()]);
    for (const [name, id] of ids) {
      const tool = tools.get(id);
      if (!tool) continue;
      const told = argumentNames(tool);
      // The group's name stands once; a line costs a few signs more.
      left -= memberOf(name).length + told.length + 1 + (rank === 0 ? name.length + 4 : 0);
      if (left < 0) return some;
      some.set(name, told);
    }
  }
  return some;
}

/** Undefined if not even the names fit. */
function wholeContents(
  functions: ReadonlyMap<string, ToolRecord>,
  { list }: ToolGroups,
  most: number,
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
  for (const isTold of [true, false]) {
    const text = textWith(new Map(), isTold);
    const left = most - estimateTokens(text);
    if (left < 0) continue;
    return { text: textWith(fittingArguments(all, left), isTold), tells: "names" };
  }
  return undefined;
}

/** The arguments that fit, as many functions of each group as possible: each group may be the one that serves. */
function fittingArguments(all: ReadonlyMap<string, string>, tokens: number): Map<string, string> {
  const ranks = new Map<string, number>();
  const turns = Array.from(all, ([name, names]) => {
    const group = groupOf(name) ?? "";
    const rank = ranks.get(group) ?? 0;
    ranks.set(group, rank + 1);
    return { name, names, rank };
  }).toSorted((one, other) => one.rank - other.rank);
  const fitting = new Map<string, string>();
  let left = tokens * 4;
  for (const { name, names } of turns) {
    left -= names.length;
    if (left < 0) break;
    fitting.set(name, names);
  }
  return fitting;
}

/**
 * More functions, where the contents do not name all: a few next likely ones with their arguments, the names of those of
 * the likeliest tools' groups, as far as whole groups fit, and of more next likely ones.
 *
 * @param shown the functions that the prompt tells already, the likeliest first
 * @param others the next likely ones
 * @param some those that the contents tell
 */
export function nearbyFunctions(
  { functionsIn }: Pick<ToolGroups, "functionsIn">,
  shown: Iterable<string>,
  others: ReadonlyMap<string, ToolRecord>,
  some: ReadonlySet<string> = new Set(),
): string {
  const near = [...shown];
  const told = new Set([...near, ...some]);
  const groups = new Set(near.flatMap((name) => groupOf(name) ?? []));
  const listed = new Map<string, string>();
  const heads = new Set<string>();
  let tokens = 0;
  /** Adds what fits, and says whether it did. */
  const add = (functions: readonly (readonly [string, string])[], most: number): boolean => {
    const more = functions.filter(([name]) => !told.has(name) && !listed.has(name));
    const added = new Set(more.map(([name]) => groupOf(name) ?? ""));
    const lines = [...added].filter((group) => !heads.has(group)).map((group) => `\n- ${group}:`);
    const members = more.map(([name, names]) => ` ${memberOf(name)}${names}`);
    // Counted as estimateTokens does, but not rounded: these are hundreds of short texts.
    const size = [...lines, ...members].join("").length / 4;
    if (tokens + size > most) return false;
    tokens += size;
    for (const group of added) heads.add(group);
    for (const [name, names] of more) listed.set(name, names);
    return true;
  };
  for (const [name, tool] of others)
    if (!add([[name, argumentNames(tool)]], MOST_NEARBY.signatures)) break;
  for (const group of groups) add(functionsIn(group).map(nameAlone), MOST_NEARBY.groups);
  for (const name of others.keys()) add([nameAlone(name)], MOST_NEARBY.names);
  return linesByGroup(listed);
}

function nameAlone(name: string): readonly [string, string] {
  return [name, ""];
}

function headOf({ name, about }: ToolGroup): string {
  const told = inBrief(oneLine(about), ABOUT);
  return told ? `${name} (${told})` : name;
}
