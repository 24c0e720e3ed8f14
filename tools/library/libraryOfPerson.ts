import type { ToolDefinition, ToolRecord } from "../tool.js";
import type { LibraryEditor } from "./library.js";
import { groupsAsListed, type ToolGroups } from "./records/groups.js";
import { canonicalJson, sha256 } from "./records/hash.js";

/** What sources offer one person, by the name of the source: the form of each tool, by its id. */
export type Offers = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * A library as a person sees it: without the tools that their sources offer this person otherwise than they were accepted
 * for all, or not at all. A source that has told this person nothing yet hides nothing.
 */
export function libraryOfPerson(base: LibraryEditor, offers: Offers): LibraryEditor {
  const isSeen = (tool: ToolRecord) => {
    const { source } = tool;
    const offer = source.kind === "mcp" ? offers.get(source.server) : undefined;
    return offer === undefined || offer[tool.id] === offeredForm(tool);
  };
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
      ...base.withheld(),
      ...base.list().flatMap((tool) => (isSeen(tool) ? [] : [unoffered(tool)])),
    ],
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
