import { several } from "../../../common/bounds.js";
import { codeName, freeName, identifier, memberOf } from "../../../common/codeNames.js";
import { nameKey } from "../../../common/nearNames.js";
import type { ToolDefinition } from "../../tool.js";
import { getTool, type LibraryPlace, readLibrary } from "./records.js";

/** Tools that belong together: those of a server, an API or a provider. */
export interface ToolGroup {
  /** Its name in programs and prompts: "git". */
  name: string;
  /** What it is for, in its source's words; empty if that says nothing. */
  about: string;
  /** Number of its tools. */
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
  /** The id of the tool whose function has a name, in whatever spelling style, also without its group. */
  toolNamed: (name: string) => string | undefined;
  /**
   * The names of a group's functions, or of those without a group for "", in the order of registration; empty in a
   * large library.
   */
  functionsIn: (group: string) => readonly string[];
}

/** What decides a tool's group and name. */
type Grouped = Pick<ToolDefinition, "id" | "name" | "provider">;

/** In a library of more tools, functions have the whole names of their tools, and are not listed. */
const LARGE = 20_000;

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

/** Reads the groups of a library, anew only once its tools have changed. */
export function groupReader(place: () => LibraryPlace): () => ToolGroups {
  let latest: { content: string; groups: ToolGroups } | undefined;
  return () => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content !== content) latest = { content, groups: readGroups(here) };
    return latest.groups;
  };
}

function readGroups(place: LibraryPlace): ToolGroups {
  const { database, library } = place;
  const rows = database
    .prepare(
      `SELECT id, definition ->> 'name' AS name, definition ->> 'provider' AS provider,
         definition ->> 'providerDescription' AS about FROM tools WHERE library = ? ORDER BY position`,
    )
    .iterate(library) as IterableIterator<Grouped & { about: string | null }>;
  const groups = groupTools(rows);
  if (groups.size <= LARGE) return groups;
  return { ...groups, toolNamed: (name) => toolByWholeName(place, name) };
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
  const groups = new Map<string, ToolGroup & { tools: Grouped[] }>();
  let count = 0;
  for (const { about, ...tool } of tools) {
    const name = groupOf(tool);
    const group = groups.get(name) ?? { name, about: about ?? "", size: 0, tools: [] };
    groups.set(name, group);
    group.size += 1;
    count += 1;
    if (count <= LARGE) group.tools.push(tool);
  }
  const list = [...groups.values()]
    .filter(({ name }) => name !== "")
    .map(({ name, about, size }) => ({ name, about, size }));
  if (count > LARGE) {
    return {
      list,
      size: count,
      functionName: wholeName,
      toolNamed: () => undefined,
      functionsIn: () => [],
    };
  }
  const functions = new Map([...groups.values()].flatMap((group) => [...functionsOf(group)]));
  const ids = new Map([...functions].map(([id, name]) => [name, id]));
  const alike = new Map<string, string[]>();
  for (const name of ids.keys()) {
    for (const written of new Set([name, memberOf(name)])) {
      const key = nameKey(written);
      alike.set(key, [...(alike.get(key) ?? []), name]);
    }
  }
  return {
    list,
    size: count,
    functionName: (tool) => functions.get(tool.id) ?? wholeName(tool),
    toolNamed: (name) => {
      const [only, ...others] = ids.has(name) ? [name] : (alike.get(nameKey(name)) ?? []);
      return only !== undefined && others.length === 0 ? ids.get(only) : undefined;
    },
    functionsIn: (name) =>
      (groups.get(name)?.tools ?? []).flatMap(({ id }) => functions.get(id) ?? []),
  };
}

/** The functions of a group by the ids of its tools; what all names begin with is not said again. */
function functionsOf({ name: group, tools }: { name: string; tools: readonly Grouped[] }) {
  const names = tools.map(({ name }) => name);
  const from = group === "" ? 0 : sharedBeginning(names);
  const taken = new Set<string>();
  return new Map(
    tools.map((tool): [string, string] => {
      const rest = group === "" ? tool.name : ownName(tool.name).slice(from);
      const wanted = group === "" ? identifier(rest) : codeName(`${group}.${rest}`);
      const name = freeName(wanted, taken);
      taken.add(name);
      return [tool.id, name];
    }),
  );
}

/** The name of a function whose group's other tools are not known. */
function wholeName(tool: Grouped): string {
  const group = groupOf(tool);
  return group === "" ? identifier(tool.name) : codeName(`${group}.${ownName(tool.name)}`);
}

/**
 * The group of a tool, as its source says: what stands before the name in its id ("git" for "git.git_commit") or in the
 * name itself ("calendar" for "calendar.create_event"), else its provider.
 */
function groupOf({ id, name, provider }: Grouped): string {
  const before = id.endsWith(name) ? id.slice(0, -name.length) : "";
  const own = before.split(/[./:]/u).at(-2) || dotted(name)?.[0] || provider;
  if (!own) return "";
  const group = identifier(own.replaceAll(/[^\w$]+/gu, "_").replaceAll(/^_+|_+$/gu, ""));
  return TAKEN.has(group) ? `${group}_` : group;
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
  const [first = "", ...others] = names;
  if (names.length < FEWEST) return 0;
  let length = 0;
  while (length < first.length && others.every((other) => other[length] === first[length])) {
    length += 1;
  }
  const words = /^.*[\s_.:/|-]/su.exec(first.slice(0, length))?.[0] ?? "";
  return names.every((name) => /^\p{L}/u.test(name.slice(words.length))) ? words.length : 0;
}
