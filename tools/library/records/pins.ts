import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import { cleanParameters, cleanReturns } from "../../../common/schemas/cleanParameters.js";
import type { ToolDefinition } from "../../tool.js";
import { definitionHash } from "./hash.js";
import { columnOf, deleteRows, findTool, insertRow, type LibraryPlace, rowsOf } from "./records.js";
import { addTool, beginRevision, putOrigin } from "./toolRows.js";

/** The accepted definition of a tool of a connected source. */
export interface Pin {
  /** "mcp:files", "openapi:github". */
  origin: string;
  id: string;
  hash: string;
  /** When it was accepted, as an ISO 8601 date and time in UTC. */
  at: string;
}

/** A definition that a source lists and nobody has accepted; its tool is neither found nor called. */
export interface WithheldTool {
  origin: string;
  tool: ToolDefinition;
  hash: string;
  /** When it was first seen, as an ISO 8601 date and time in UTC. */
  at: string;
  /** A person has rejected it; another definition of the tool is a new question. */
  rejected: boolean;
  /** It is accepted, and withheld because its source does not offer it so to the person who asks. */
  isUnoffered?: boolean;
  /** The definition that was accepted; absent for a new tool. */
  accepted?: ToolDefinition;
}

/** The parts of a listing that become tools and that wait for a person. */
export interface SplitListing {
  accepted: ToolDefinition[];
  withheld: ToolDefinition[];
}

/**
 * Splits what a source has listed: the first listing is accepted as a whole, later only what has not changed.
 *
 * @param options.trust accepts everything
 */
export function splitByPins({
  origin,
  tools,
  trust,
  ...place
}: LibraryPlace & {
  origin: string;
  tools: readonly ToolDefinition[];
  trust: boolean;
}): SplitListing {
  const accepted = listPins(place).filter((each) => each.origin === origin);
  const pins = new Map(accepted.map(({ id, hash }) => [id, hash]));
  if (trust || pins.size === 0) return { accepted: [...tools], withheld: [] };
  const isPinned = (tool: ToolDefinition) => {
    const hash = pins.get(tool.id);
    if (hash === definitionHash(tool)) return true;
    // Accepted before schemas were cleaned, or when they were cleaned differently.
    const accepted = acceptedDefinition({ ...place, id: tool.id, hash });
    return accepted !== undefined && definitionHash(cleaned(accepted)) === definitionHash(tool);
  };
  return {
    accepted: tools.filter(isPinned),
    withheld: tools.filter((tool) => !isPinned(tool)),
  };
}

function cleaned(tool: ToolDefinition): ToolDefinition {
  const taken = cleanParameters(tool.parameters);
  const { returns } = cleanReturns(tool.returns);
  const { returns: _before, ...others } = tool;
  return {
    ...others,
    parameters: taken?.parameters ?? tool.parameters,
    ...(returns && { returns }),
  };
}

/** Writes what a listing was split into. Must run in a write transaction. */
export function writePins(options: LibraryPlace & SplitListing & { origin: string }): void {
  const { origin, accepted, withheld, ...place } = options;
  for (const tool of accepted) pin({ ...place, origin, id: tool.id, hash: definitionHash(tool) });
  const known = new Map(withheldRows({ ...place, origin }).map((row) => [row.id, row] as const));
  deleteRows(place, "withheld", { origin });
  for (const tool of withheld) {
    const hash = definitionHash(tool);
    const before = known.get(tool.id);
    const { at, rejected } =
      before?.hash === hash ? before : { at: new Date().toISOString(), rejected: 0 };
    const definition = JSON.stringify(tool);
    insertRow(place, "withheld", { origin, id: tool.id, hash, definition, at, rejected });
  }
}

/** The definitions that were accepted, by origin and id. */
export function listPins(place: LibraryPlace): Pin[] {
  const statement = "SELECT origin, id, hash, at FROM pins WHERE library = ? ORDER BY origin, id";
  return rowsOf(place, statement);
}

/** The definitions that wait for a person or were rejected, by origin and id. */
export function listWithheld(place: LibraryPlace): WithheldTool[] {
  const pins = new Map(listPins(place).map((each) => [`${each.origin} ${each.id}`, each.hash]));
  return withheldRows(place).map(({ origin, id, hash, definition, at, rejected }) => {
    const accepted = acceptedDefinition({ ...place, id, hash: pins.get(`${origin} ${id}`) });
    return {
      origin,
      tool: JSON.parse(definition) as ToolDefinition,
      hash,
      at,
      rejected: rejected === 1,
      ...(accepted ? { accepted } : {}),
    };
  });
}

/** What a person decides about withheld definitions, by their tools' ids. */
export interface Verdicts {
  accept: readonly string[];
  reject: readonly string[];
  /** The hashes of the definitions as the person saw them; without it, whatever is withheld is decided. */
  seen?: ReadonlyMap<string, string>;
}

/** See `LibraryEditor.decide`. Must run in a write transaction, because it decides all or nothing. */
export function decideWithheld(options: LibraryPlace & { name: string } & Verdicts): void {
  const { name, accept, reject, seen, ...place } = options;
  const waiting = new Map(withheldRows(place).map((row) => [row.id, row]));
  const decided = [...accept, ...reject].map((id) => {
    const row = waiting.get(id);
    if (row) return row;
    throw new UnknownName({ kind: "withheld tool", wanted: id, available: [...waiting.keys()] });
  });
  const changed = decided.find(({ id, hash }) => seen && seen.get(id) !== hash);
  if (changed) {
    const problem = `the definition of "${changed.id}" has changed since it was shown`;
    throw new LibraryFailed({ library: name, problem, hint: "Look at it again" });
  }
  for (const { origin, id, hash, definition } of decided.slice(0, accept.length)) {
    const taken = findTool({ ...place, id });
    if (taken) {
      const problem = `it has a tool "${id}" already, from ${taken.origin}`;
      throw new LibraryFailed({ library: name, problem, hint: "Remove that one first" });
    }
    putOrigin({ ...place, origin, fingerprint: LISTED });
    addTool({ ...place, origin, tool: JSON.parse(definition) as ToolDefinition });
    pin({ ...place, origin, id, hash });
    deleteRows(place, "withheld", { origin, id });
  }
  if (accept.length > 0) beginRevision(place);
  const rejecting = "UPDATE withheld SET rejected = 1 WHERE library = ? AND id = ?";
  for (const id of reject) place.database.prepare(rejecting).run(place.library, id);
}

/** The fingerprint of all connected origins, because only a new listing changes their tools. */
export const LISTED = "listed";

function pin({ origin, id, hash, ...place }: LibraryPlace & Omit<Pin, "at">): void {
  const changed = `ON CONFLICT (library, origin, id)
    DO UPDATE SET hash = excluded.hash, at = excluded.at WHERE hash <> excluded.hash`;
  insertRow(place, "pins", { origin, id, hash, at: new Date().toISOString() }, changed);
}

interface WithheldRow extends Pin {
  definition: string;
  rejected: number;
}

function withheldRows(options: LibraryPlace & { origin?: string }): WithheldRow[] {
  const { origin = null, ...place } = options;
  const statement = `SELECT origin, id, hash, definition, at, rejected FROM withheld
    WHERE library = ? AND (? IS NULL OR origin = ?) ORDER BY origin, id`;
  return rowsOf(place, statement, origin, origin);
}

/** Looks in the history, which has every definition that a tool ever had. */
function acceptedDefinition(
  options: LibraryPlace & { id: string; hash: string | undefined },
): ToolDefinition | undefined {
  const { id, hash, ...place } = options;
  if (hash === undefined) return undefined;
  const statement = `SELECT definition FROM versions
    WHERE library = ? AND id = ? AND hash = ? AND definition IS NOT NULL
    ORDER BY sequence DESC LIMIT 1`;
  const [definition] = columnOf<string>(place, statement, id, hash);
  return definition === undefined ? undefined : (JSON.parse(definition) as ToolDefinition);
}
