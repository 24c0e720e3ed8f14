import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import { inBrief, oneLine } from "../../common/errors.js";
import { fieldsOf } from "../../common/schemas/typeText.js";
import { cachedShare } from "../../models/prices.js";
import type { Settings } from "../../state/settings.js";
import { estimateTokens } from "../../tools/library/vectors/embedding.js";
import type { ToolGroup, ToolGroups } from "../../tools/library/records/groups.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toolView } from "../shared/modelView.js";
import { declarationTokens, MOST_DECLARED } from "./functionDeclarations.js";
import { programFunctions } from "./programFunctions.js";

/** Most tokens for the list of a library's groups and functions. */
const MOST_LISTED = 800;

/** Most tokens for the groups alone, which tell little: the search names those of a request. */
const MOST_GROUPS = 200;

/** Most tokens for the names of the likeliest groups' functions, in a library that is too large to list. */
const MOST_NEARBY = 250;

/** A library is shown whole only if its declarations take no more tokens. */
const MOST_WHOLE = 8000;

/** Providers cache no shorter beginning of a prompt, in tokens. */
const LEAST_CACHED = 1024;

/** The names of more tools fit no list. */
const MOST_TOOLS = 500;

/** Most characters about a group. */
const ABOUT = 60;

/** What a library contains, for the part of a prompt that is the same for all its requests. */
export interface Contents {
  /** A line for each group. */
  text: string;
  /** What it tells: all functions with their arguments, all by name, or groups alone. */
  tells: "signatures" | "names" | "groups";
}

type Contained = Pick<ToolLibrary, "groups" | "list" | "pick" | "size">;

/** A small library, as prompts show it. */
interface SmallLibrary {
  /** By the names of their functions, in the order of registration. */
  functions: ReadonlyMap<string, ToolRecord>;
  /** Tokens of all their declarations. */
  tokens: number;
  contents: Contents | undefined;
}

/** Kept until the tools of a library change. */
const SMALL = new WeakMap<ToolGroups, SmallLibrary>();

function smallLibrary(
  library: Contained,
  toolIds: readonly string[] | undefined,
): SmallLibrary | undefined {
  if ((toolIds?.length ?? library.size) > MOST_TOOLS) return undefined;
  const groups = library.groups();
  if (toolIds) return smallOf([...library.pick(toolIds).values()], groups);
  const small = SMALL.get(groups) ?? smallOf(library.list(), groups);
  SMALL.set(groups, small);
  return small;
}

function smallOf(tools: readonly ToolRecord[], groups: ToolGroups): SmallLibrary {
  const functions = programFunctions(tools, groups);
  const views = [...functions].map(toolView);
  const tokens = views.reduce((sum, view) => sum + declarationTokens(view), 0);
  return { functions, tokens, contents: wholeContents(functions, groups) };
}

/**
 * The tools of a library that is shown whole, in a fixed order: if its declarations cost no more than its contents and
 * what a search would declare, at the model's price of cached tokens. Undefined for any other.
 */
export async function wholeLibrary(
  library: Contained,
  { model, toolIds, primingTopK }: Pick<Settings, "model" | "toolIds" | "primingTopK">,
): Promise<ToolRecord[] | undefined> {
  const small = smallLibrary(library, toolIds);
  if (!small?.contents?.text || small.functions.size > primingTopK) return undefined;
  if (small.tokens > MOST_WHOLE) return undefined;
  const share = await cachedShare(model);
  const priced = (tokens: number) => (tokens >= LEAST_CACHED ? tokens * share : tokens);
  const { text, tells } = small.contents;
  const other = priced(estimateTokens([text])) + MOST_DECLARED[tells];
  return priced(small.tokens) <= other ? [...small.functions.values()] : undefined;
}

/**
 * The functions of a library by group, with the names of their arguments if these fit; of a larger library the groups
 * with their numbers of functions; of a still larger one the largest of these.
 */
export function contentsOf(library: Contained, { toolIds }: Pick<Settings, "toolIds">): Contents {
  const contents = smallLibrary(library, toolIds)?.contents;
  if (contents) return contents;
  const counted = library.groups().list.toSorted((one, other) => other.size - one.size);
  const lines = counted.map((group) => `- ${headOf(group)}: ${group.size}`);
  const shown = asFit(lines, MOST_GROUPS);
  const rest = counted.length - shown.length;
  return {
    text: [...shown, ...(rest > 0 ? [`- and ${rest} more groups`] : [])].join("\n"),
    tells: "groups",
  };
}

/** Undefined if not even the names fit. */
function wholeContents(
  functions: ReadonlyMap<string, ToolRecord>,
  { list }: ToolGroups,
): Contents | undefined {
  const named = [...functions].map(([name, tool]) => ({ ...partsOf(name), tool }));
  const groups = [{ name: "", about: "", size: 0 }, ...list].flatMap((group) => {
    const own = named.filter((one) => one.group === group.name);
    return own.length > 0 ? [{ group, own }] : [];
  });
  for (const { tells, hasAbout } of FORMS) {
    const lines = groups.map(({ group, own }) => {
      const head = group.name === "" ? "" : `${hasAbout ? headOf(group) : group.name}: `;
      const names = own.map(
        ({ member, tool }) => member + (tells === "signatures" ? briefly(tool) : ""),
      );
      return `- ${head}${names.join(" ")}`;
    });
    const text = lines.join("\n");
    if (estimateTokens([text]) <= MOST_LISTED) return { text, tells };
  }
  return undefined;
}

/** What is told of groups and functions, the most first. */
const FORMS = [
  { tells: "signatures", hasAbout: true },
  { tells: "names", hasAbout: true },
  { tells: "names", hasAbout: false },
] as const;

/**
 * The names of the functions in the groups of the likeliest tools, where the contents do not name them. A group that
 * does not fit is left out: a part of its names would be any part.
 */
export function nearbyFunctions(
  library: Pick<ToolLibrary, "groups">,
  likely: Iterable<string>,
): string {
  const { functionsIn } = library.groups();
  const groups = new Set(Array.from(likely, (name) => partsOf(name).group));
  let tokens = 0;
  const lines = [...groups].flatMap((group) => {
    const names = group === "" ? [] : functionsIn(group).map((name) => partsOf(name).member);
    const line = `- ${group}: ${names.join(" ")}`;
    const more = estimateTokens([`${line}\n`]);
    if (names.length === 0 || tokens + more > MOST_NEARBY) return [];
    tokens += more;
    return [line];
  });
  return lines.join("\n");
}

function partsOf(name: string): { group: string; member: string } {
  const dot = name.indexOf(".");
  return { group: name.slice(0, Math.max(dot, 0)), member: name.slice(dot + 1) };
}

function headOf({ name, about }: ToolGroup): string {
  const told = inBrief(oneLine(about), ABOUT);
  return told ? `${name} (${told})` : name;
}

/** The required arguments of a function; lists are marked. */
function briefly({ parameters }: ToolRecord): string {
  const fields = fieldsOf(inlineRefs(parameters)).filter(({ mark }) => mark === "");
  const keys = fields.map(({ key, type }) => key + (type.endsWith("[]") ? "[]" : ""));
  return `(${keys.join(", ")})`;
}

/** The first lines, as many as fit. */
function asFit(lines: readonly string[], most: number): string[] {
  let tokens = 0;
  return lines.filter((line) => (tokens += estimateTokens([`${line}\n`])) <= most);
}
