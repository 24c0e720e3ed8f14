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

/**
 * Makes withheld definitions tools of the library. Must run in a write transaction.
 *
 * @returns the first id that another tool has already, if any; then nothing was changed
 */
export function acceptWithheld({
  ids,
  ...place
}: LibraryPlace & { ids: readonly string[] }): string | undefined {
  const rows = withheldRows(place).filter(({ id }) => ids.includes(id));
  const taken = rows.find(({ id }) => findTool({ ...place, id }));
  if (taken) return taken.id;
  for (const { origin, id, hash, definition } of rows) {
    const tool = JSON.parse(definition) as ToolDefinition;
    putOrigin({ ...place, origin, fingerprint: LISTED });
    addTool({ ...place, origin, tool });
    pin({ ...place, origin, id, hash });
    deleteRows(place, "withheld", { origin, id });
  }
  if (rows.length > 0) beginRevision(place);
  return undefined;
}

/** Records that a person has rejected definitions. */
export function rejectWithheld(options: LibraryPlace & { ids: readonly string[] }): void {
  const { ids, database, library } = options;
  const reject = database.prepare("UPDATE withheld SET rejected = 1 WHERE library = ? AND id = ?");
  for (const id of ids) reject.run(library, id);
}

/** Forgets an origin, so that its next listing counts as the first. Must run in a write transaction. */
export function forgetPins({ origin, ...place }: LibraryPlace & { origin: string }): void {
  for (const table of ["pins", "withheld"]) deleteRows(place, table, { origin });
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
