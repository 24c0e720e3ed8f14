import { listed, several } from "../../../common/text.js";
import { codeName, freeName, groupOf, identifier, memberOf } from "../../../common/codeNames.js";
import {
  isSameName,
  nameKey,
  nearestName,
  plainKey,
  sharedStart,
  wordsOf,
} from "../../../common/nearNames.js";
import type { ToolDefinition } from "../../tool.js";
import { getTool, type LibraryPlace } from "./records.js";

/** Tools that belong together: those of a server, of an API or of one category of a large one, or of a provider. */
export interface ToolGroup {
  /** Its name in programs and prompts: "git". */
  name: string;
  /** What it is for, in its source's words; empty if that says nothing. */
  about: string;
  size: number;
}

/** The groups of a library, and what its tools are called in programs and prompts. */
export interface ToolGroups {
  /** In the order of their first tools. */
  list: readonly ToolGroup[];
  /** Number of all tools, also of those without a group. */
  size: number;
  /** The name of a tool's function: "git.commit"; plain for a tool without a group. */
  functionName: (tool: Grouped) => string;
  /**
   * The id of the tool whose function has a name, in whatever spelling style, also without its group or with one that does
   * not exist; or whose own it is. A name with a group that exists means nothing in another.
   */
  toolNamed: (name: string) => string | undefined;
  /** The functions of all groups that have a name but for the group; none in a large library. */
  namesakes: (name: string) => readonly string[];
  /**
   * The names of the functions of a group or of all groups of a source, or of those without a group for "", in the
   * order of registration; empty in a large library.
   */
  functionsIn: (group: string) => readonly string[];
  /** The ids of all tools of a tool's group, if these are few enough to be about one thing; none in a large library. */
  kinOf: (id: string) => readonly string[];
}

/** What decides a tool's group and name. */
type Grouped = Pick<ToolDefinition, "id" | "name" | "provider" | "category">;

/** In a library of more tools, functions have the whole names of their tools, and are not listed. */
const LARGE = 20_000;

/** A source of more tools is a group for each of its categories. */
const MOST_TOGETHER = 100;

/** Two names that begin alike may do so by chance. */
const FEWEST = 3;

/** Names of the language, which a group cannot have. */
const TAKEN = new Set("Array Date JSON Math Number Object Promise String console today".split(" "));

/** The largest groups in a line: "git (12), files (14) and 3 more groups"; empty if there are none. */
export function groupsText({ list }: Pick<ToolGroups, "list">, most: number): string {
  const shown = list.toSorted((one, other) => other.size - one.size).slice(0, most);
  const rest = list.length - shown.length;
  const named = shown.map(({ name, size }) => `${name} (${size})`).join(", ");
  return rest > 0 ? `${named} and ${several(rest, "more group")}` : named;
}

export function readGroups(place: LibraryPlace): ToolGroups {
  const { database, library } = place;
  const rows = database
    .prepare(
      `SELECT id, definition ->> 'name' AS name, definition ->> 'provider' AS provider,
         definition ->> 'category' AS category, definition ->> 'providerDescription' AS about FROM tools WHERE library = ? ORDER BY position`,
    )
    .iterate(library) as IterableIterator<Grouped & { about: string | null }>;
  const groups = groupTools(rows);
  if (groups.size <= LARGE) return groups;
  return { ...groups, toolNamed: (name) => toolByWholeName(place, name) };
}

/** How many functions of a group are told of for one that it lacks. */
const MEMBERS_TOLD = 12;

/**
 * What there is in place of a function that does not exist, by its group and by its name; empty if there is neither.
 *
 * @param ids the tools that may be called; all by default
 */
export function insteadText(name: string, groups: ToolGroups, ids?: readonly string[]): string {
  const { list, functionsIn, namesakes, toolNamed } = groups;
  const isAllowed = (one: string) => !ids || ids.includes(toolNamed(one) ?? "");
  const group = list.find((each) => isSameName(each.name, groupOf(name) ?? ""))?.name ?? "";
  const all = (group && functionsIn(group).filter(isAllowed).map(memberOf)) || [];
  const near = nearestName(memberOf(name), all);
  const words = wordsOf(memberOf(name));
  const rank = (one: string) =>
    one === near ? Infinity : wordsOf(one).filter((word) => words.includes(word)).length;
  const members = all.toSorted(
    (one, other) => Number(rank(other) > rank(one)) - Number(rank(one) > rank(other)),
  );
  const told = listed(members, MEMBERS_TOLD);
  const others = namesakes(name).filter(isAllowed).slice(0, MEMBERS_TOLD);
  const parts = [
    told && `${group} has: ${told}`,
    others.length > 0 && `${others.join(", ")} ${others.length === 1 ? "exists" : "exist"}`,
  ].filter(Boolean);
  return parts.length > 0 ? [`there is no ${name}`, ...parts].join("; ") : "";
}

/** What may stand between the group and the name of a tool in its id. */
const BETWEEN = [".", "/", ":"];

/** The tool of a large library whose function has a name, if its id is made of group and name as they are. */
function toolByWholeName(place: LibraryPlace, name: string): string | undefined {
  const member = memberOf(name);
  const group = name.slice(0, -member.length - 1);
  const names = [member, member.replaceAll("_", "-")];
  const ids = [...names, ...BETWEEN.flatMap((mark) => names.map((one) => group + mark + one))];
  return ids.find((id) => {
    const tool = getTool({ ...place, id });
    return tool && wholeName(tool) === name;
  });
}

/** The functions of the group that a phrase names; undefined if it names none. */
export function groupNamed(
  phrase: string,
  { functionsIn }: Pick<ToolGroups, "functionsIn">,
): readonly string[] | undefined {
  const functions = phrase === "" ? [] : functionsIn(phrase);
  return functions.length > 0 ? functions : undefined;
}

/** The groups of a library with the tools of a thread: of the tools that its `list` has. */
export function groupsAsListed({
  groups,
  list,
}: {
  groups: ToolGroups;
  list: () => readonly ToolDefinition[];
}): ToolGroups {
  if (groups.size > LARGE) return groups;
  return groupTools(list().map((tool) => ({ ...tool, about: tool.providerDescription ?? null })));
}

/**
 * Groups tools by their sources.
 *
 * @param tools in the order of their registration
 */
export function groupTools(tools: Iterable<Grouped & { about?: string | null }>): ToolGroups {
  const sources = new Map<string, Source>();
  let count = 0;
  for (const { about, ...tool } of tools) {
    const name = sourceOf(tool);
    const source = sources.get(name) ?? { name, about: about ?? "", size: 0, tools: [] };
    sources.set(name, source);
    source.size += 1;
    count += 1;
    if (count <= LARGE) source.tools.push(tool);
  }
  if (count > LARGE) {
    return {
      list: groupsNamed([...sources.values()]),
      size: count,
      functionName: wholeName,
      toolNamed: () => undefined,
      namesakes: () => [],
      functionsIn: () => [],
      kinOf: () => [],
    };
  }
  const groups = [...sources.values()].flatMap(byCategory);
  const functions = new Map(groups.flatMap((group) => [...functionsOf(group)]));
  const kin = new Map<string, readonly string[]>();
  for (const { name, tools } of groups) {
    const ids = name === "" || tools.length > MOST_TOGETHER ? [] : tools.map(({ id }) => id);
    for (const id of ids) kin.set(id, ids);
  }
  const namesIn = (name: string) =>
    (groups.find((group) => group.name === name) ?? sources.get(name))?.tools ?? [];
  return {
    list: groupsNamed(groups),
    size: count,
    functionName: (tool) => functions.get(tool.id) ?? wholeName(tool),
    ...toolFinder(
      groups.flatMap((group) => group.tools),
      functions,
    ),
    functionsIn: (name) => namesIn(name).flatMap(({ id }) => functions.get(id) ?? []),
    kinOf: (id) => kin.get(id) ?? [],
  };
}

/** Tools with one name before theirs, or those of one category of it. */
interface Source extends ToolGroup {
  tools: Grouped[];
  category?: string;
}

function groupsNamed(groups: readonly ToolGroup[]): ToolGroup[] {
  return groups
    .filter(({ name }) => name !== "")
    .map(({ name, about, size }) => ({ name, about, size }));
}

/** A large source by the categories of its tools, any other as it is. */
function byCategory(source: Source): Source[] {
  const { name, tools } = source;
  if (name === "" || tools.length <= MOST_TOGETHER) return [source];
  const categories = new Map<string, Grouped[]>();
  for (const tool of tools) {
    const category = tool.category ?? "";
    const own = categories.get(category);
    if (own) own.push(tool);
    else categories.set(category, [tool]);
  }
  return Array.from(categories, ([category, own]) => {
    const group = category === "" ? name : identifier(`${name}_${plainWords(category)}`);
    return { name: group, about: "", size: own.length, tools: own, category };
  });
}

/** Finds tools by the names of their functions, also without the group, and by their own names and ids. */
function toolFinder(
  tools: readonly Grouped[],
  functions: ReadonlyMap<string, string>,
): Pick<ToolGroups, "toolNamed" | "namesakes"> {
  const exact = new Map([...functions].map(([id, name]) => [name, id]));
  const alike = new Map<string, Set<string>>();
  const plain = new Map<string, Set<string>>();
  for (const { id, name } of tools) {
    const called = functions.get(id) ?? "";
    for (const written of [called, memberOf(called), name, id]) addTo(alike, nameKey(written), id);
    addTo(plain, plainKey(called), id);
  }
  const groups = new Map([...functions].map(([id, name]) => [id, nameKey(groupOf(name) ?? "")]));
  const known = new Set(groups.values());
  const byMember = (name: string) => alike.get(nameKey(memberOf(name))) ?? new Set();
  return {
    toolNamed(name) {
      const group = groupOf(name);
      const key = group && nameKey(group);
      const isMeant = (id: string) => !key || !known.has(key) || groups.get(id) === key;
      const byName = [alike.get(nameKey(name)), group && byMember(name), plain.get(plainKey(name))];
      const found = byName.map((ids) => [...(ids || [])].filter(isMeant));
      const [only, ...others] = found.find((ids) => ids.length > 0) ?? [];
      return exact.get(name) ?? (others.length === 0 ? only : undefined);
    },
    namesakes: (name) =>
      [...new Set([...(alike.get(nameKey(name)) ?? []), ...byMember(name)])].flatMap(
        (id) => functions.get(id) ?? [],
      ),
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, id: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(id));
}

/** The functions of a group by the ids of its tools; what all names begin with is not said again, nor the category. */
function functionsOf({ name: group, tools, category = "" }: Source) {
  const names = tools.map(({ name }) => name);
  const from = group === "" ? 0 : sharedBeginning(names);
  const said = `${plainWords(category)}_`.toLowerCase();
  const taken = new Set<string>();
  return new Map(
    tools.map((tool): [string, string] => {
      const whole = ownName(tool.name);
      const ofCategory = plainWords(whole).toLowerCase().startsWith(said) ? said.length : 0;
      const rest = whole.slice(Math.max(from, ofCategory));
      const wanted = group === "" ? identifier(tool.name) : codeName(`${group}.${rest}`);
      const name = freeName(wanted, taken);
      taken.add(name);
      return [tool.id, name];
    }),
  );
}

/** The name of a function whose group's other tools are not known. */
function wholeName(tool: Grouped): string {
  const group = sourceOf(tool);
  return group === "" ? identifier(tool.name) : codeName(`${group}.${ownName(tool.name)}`);
}

/** What the group of a tool may be called, however large its source is: by the source, or by its category there. */
export function possibleGroups(tool: Grouped): string[] {
  const source = sourceOf(tool);
  const { category = "" } = tool;
  const ofCategory = category && identifier(`${source}_${plainWords(category)}`);
  return [source, ofCategory].filter(Boolean);
}

/**
 * The source of a tool: what stands before the name in its id ("git" for "git.git_commit", "github" for
 * "github.issues/get" with the name "issues_get") or in the name itself ("calendar" for "calendar.create_event"), else
 * its provider.
 */
function sourceOf({ id, name, provider }: Grouped): string {
  const own = beforeName(id, name) || dotted(name)?.[0] || provider;
  if (!own) return "";
  const source = identifier(plainWords(own));
  return TAKEN.has(source) ? `${source}_` : source;
}

function beforeName(id: string, name: string): string | undefined {
  const [first = "", ...rest] = id.split(".");
  if (rest.length > 0 && plainWords(rest.join(".")) === name) return first;
  return id.endsWith(name) ? id.slice(0, -name.length).split(/[./:]/u).at(-2) : undefined;
}

function plainWords(text: string): string {
  return text.replaceAll(/[^\w$]+/gu, "_").replaceAll(/^_+|_+$/gu, "");
}

/** A name without the group that it may name itself. */
function ownName(name: string): string {
  return dotted(name)?.[1] ?? name;
}

function dotted(name: string): [string, string] | undefined {
  const [, group, own] = /^([A-Za-z]\w*)\.([A-Za-z]\w*)$/u.exec(name) ?? [];
  return group && own ? [group, own] : undefined;
}

/** Length of what all names begin with, up to the end of a word. */
function sharedBeginning(all: readonly string[]): number {
  const names = all.map(ownName);
  if (names.length < FEWEST) return 0;
  const words = /^.*[\s_.:/|-]/su.exec(sharedStart(names))?.[0] ?? "";
  return names.every((name) => /^\p{L}/u.test(name.slice(words.length))) ? words.length : 0;
}
