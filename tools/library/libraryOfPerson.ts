import { calledTools, type ToolDefinition, type ToolRecord, writtenCode } from "../tool.js";
import type { LibraryEditor } from "./library.js";
import { groupsAsListed, type ToolGroups } from "./records/groups.js";
import { canonicalJson, sha256 } from "./records/hash.js";

/** What sources offer one person, by the name of the source: the form of each tool, by its id. */
export type Offers = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Whether somebody may find and call a tool. */
export type IsGranted = (tool: ToolDefinition) => boolean;

/**
 * A library as a person sees it: without the tools that they were not granted, and those that their sources offer this
 * person otherwise than they were accepted for all, or not at all. A source that has told this person nothing yet hides
 * nothing. What a model or a person has written of other tools is seen by whoever sees all of those.
 */
export function libraryOfPerson(
  base: LibraryEditor,
  offers: Offers,
  isGranted: IsGranted = () => true,
): LibraryEditor {
  const isAllowed = (tool: ToolRecord, above: readonly string[] = []): boolean => {
    if (writtenCode(tool) === "") return isGranted(tool);
    const called = calledTools(tool).filter((id) => !above.includes(id));
    return called.every((id) => {
      const one = base.get(id);
      return !one || isAllowed(one, [...above, tool.id]);
    });
  };
  const isOffered = (tool: ToolRecord) => {
    const { source } = tool;
    const offer = source.kind === "mcp" ? offers.get(source.server) : undefined;
    return offer === undefined || offer[tool.id] === offeredForm(tool);
  };
  const isSeen = (tool: ToolRecord) => isAllowed(tool) && isOffered(tool);
  const list = () => base.list().filter(isSeen);
  const get = (id: string) => {
    const tool = base.get(id);
    return tool && isSeen(tool) ? tool : undefined;
  };
  const isHidden = ({ id }: { id: string }) => !get(id);
  let known: { of: ToolGroups; groups: ToolGroups } | undefined;
  const groups = () => {
    const of = base.groups();
    if (known?.of !== of) known = { of, groups: groupsAsListed({ groups: of, list }) };
    return known.groups;
  };
  const own: Partial<LibraryEditor> = {
    list,
    get,
    pick: (ids) => new Map([...base.pick(ids)].filter(([, tool]) => isSeen(tool))),
    groups,
    withheld: () => [
      ...base.withheld().filter(({ tool }) => isGranted(tool)),
      ...base
        .list()
        .flatMap((tool) => (isAllowed(tool) && !isOffered(tool) ? [unoffered(tool)] : [])),
    ],
    origins: () => {
      const seen = new Set(list().map(({ source }) => source.file));
      const all = new Set(base.list().map(({ source }) => source.file));
      return base.origins().filter(({ origin }) => seen.has(origin) || !all.has(origin));
    },
    history: (id) => (isHidden({ id }) && base.get(id) ? [] : base.history(id)),
    search: async (question) => {
      const found = await base.search(question);
      if (!found.results.some(({ hits, misses = [] }) => [...hits, ...misses].some(isHidden)))
        return found;
      const seen = list().map(({ id }) => id);
      const { within } = question;
      const ids = within ? seen.filter((id) => within.includes(id)) : seen;
      return await base.search({ ...question, within: ids });
    },
  };
  const size = { get: () => list().length };
  return Object.assign(Object.create(base, { size }) as LibraryEditor, own);
}

function unoffered(tool: ToolRecord) {
  const { source, hash } = tool;
  const origin = `mcp:${source.kind === "mcp" ? source.server : ""}`;
  return { origin, tool, hash, at: "", rejected: false, isUnoffered: true };
}

/** What must be the same for all to whom a source offers a tool, as the source says it. */
export function offeredForm(tool: ToolDefinition & Pick<ToolRecord, "sourceEffects">): string {
  const {
    description,
    parameters,
    returns,
    approval,
    sourceEffects: effects = tool.effects,
  } = tool;
  return sha256(canonicalJson({ description, parameters, returns, effects, approval }));
}
