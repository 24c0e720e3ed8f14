import { isSchema } from "../../../common/schemas/referredSchema.js";
import { ownWords, wordsOf } from "../../../common/nearNames.js";
import type { ToolRecord } from "../../tool.js";

/** How a tool may be taken back, as its name and its operation suggest; it holds once a person has accepted it. */
export interface UndoProposal {
  tool: string;
  undo: string;
  before?: string;
}

/**
 * Proposes ways back for writes that have none: for pairs such as close and reopen or create and delete, for POST and
 * DELETE of one path, and for what sets values that a read of the same thing tells. Only what is plain is proposed.
 */
export function undoProposals(tools: readonly ToolRecord[]): UndoProposal[] {
  const bySource = new Map<string, ToolRecord[]>();
  for (const tool of tools) {
    const { file } = tool.source;
    const known = bySource.get(file) ?? [];
    known.push(tool);
    bySource.set(file, known);
  }
  return tools.flatMap((tool) => {
    const { id, effects, undo, isUndoDecided } = tool;
    if (effects !== "write" || undo !== undefined || isUndoDecided) return [];
    const others = (bySource.get(tool.source.file) ?? []).filter((other) => other !== tool);
    const read = readOf(tool, others);
    const proposed = pairOf(tool, others, read) ?? settingOf(tool, read);
    return proposed ? [{ tool: id, ...proposed }] : [];
  });
}

type Proposed = Omit<UndoProposal, "tool">;

/** Verbs that take each other back. */
const OPPOSITES = new Map(
  `close reopen|open close|enable disable|activate deactivate|archive unarchive|archive restore|lock unlock|pin unpin
mute unmute|star unstar|follow unfollow|subscribe unsubscribe|block unblock|hide unhide|publish unpublish
assign unassign|like unlike|pause resume|attach detach|link unlink|check uncheck`
    .split(/[|\n]/)
    .flatMap((pair) => {
      const [one = "", other = ""] = pair.split(" ");
      return [
        [one, other],
        [other, one],
      ] as const;
    })
    .toReversed(),
);
const MAKING: ReadonlySet<string> = new Set(["create", "add", "insert", "post", "new"]);
const REMOVING: ReadonlySet<string> = new Set(["delete", "remove", "drop"]);
const SETTING: ReadonlySet<string> = new Set(
  "set update change rename move assign put patch".split(" "),
);
const READING: ReadonlySet<string> = new Set(["get", "read", "show", "fetch", "retrieve"]);

/** The other tool of a pair, called with the same arguments or with what the first has given. */
function pairOf(
  tool: ToolRecord,
  others: readonly ToolRecord[],
  read: Read | undefined,
): Proposed | undefined {
  const { verb, object } = partsOf(tool);
  const isMaking = MAKING.has(verb);
  const isRemoving = REMOVING.has(verb);
  const isOther = (other: ToolRecord) => {
    const parts = partsOf(other);
    if (other.effects !== "write" || parts.object !== object) return false;
    if (isMaking) return REMOVING.has(parts.verb);
    return isRemoving
      ? MAKING.has(parts.verb)
      : OPPOSITES.get(verb) === parts.verb || OPPOSITES.get(parts.verb) === verb;
  };
  const other = others.find(isOther);
  if (!other) return undefined;
  const given = namesOf(tool);
  const before = read && callOf(read.tool, read.values);
  const values = required(other).map((name): readonly [string, string | undefined] => [
    name,
    given.includes(name) ? name : undefined,
  ]);
  const open = values.filter(([, value]) => value === undefined);
  if (open.length === 0 && values.length > 0)
    return { undo: callOf(other, values as Values), ...(before && { before }) };
  const results = resultNames(tool);
  const lacking = open[0]?.[0] ?? "";
  const result = [lacking, "id", `${object.replaceAll(" ", "_")}_id`].find((name) =>
    results.includes(name),
  );
  if (isMaking && open.length === 1 && isId(lacking) && result !== undefined) {
    const named = values.map(([name, value]) => [name, value ?? `result.${result}`]) as Values;
    const seen = readOf(other, others);
    const look =
      seen &&
      callOf(
        seen.tool,
        seen.values.map(([name]) => [name, valueIn(named, name)] as const),
      );
    return { undo: callOf(other, named), ...(look && { before: look }) };
  }
  // What was removed is made again from what was read of it.
  if (isRemoving && before !== undefined) return { undo: `${other.id}({ ...before })`, before };
  return undefined;
}

/** The same tool, with the values that were read before. */
function settingOf(tool: ToolRecord, read: Read | undefined): Proposed | undefined {
  if (!read || !SETTING.has(partsOf(tool).verb)) return undefined;
  const keys = new Set(read.values.map(([, value]) => value));
  const told = resultNames(read.tool);
  const set = namesOf(tool).filter((name) => !keys.has(name));
  if (set.length === 0 || !set.every((name) => told.includes(name))) return undefined;
  const values = namesOf(tool).map(
    (name) => [name, keys.has(name) ? name : `before.${name}`] as const,
  );
  return { undo: callOf(tool, values), before: callOf(read.tool, read.values) };
}

type Values = (readonly [name: string, value: string])[];

interface Read {
  tool: ToolRecord;
  values: Values;
}

/** The read that tells of the thing that a tool changes, with the arguments that both take. */
function readOf(tool: ToolRecord, others: readonly ToolRecord[]): Read | undefined {
  const { object } = partsOf(tool);
  const given = namesOf(tool);
  const reads = others.filter((other) => {
    const parts = partsOf(other);
    const isSame = object === parts.object || object.startsWith(`${parts.object} `);
    const names = required(other);
    return (
      other.effects === "read" &&
      READING.has(parts.verb) &&
      isSame &&
      names.length > 0 &&
      names.every((name) => given.includes(name))
    );
  });
  const [nearest] = reads.toSorted(
    (one, other) => partsOf(other).object.length - partsOf(one).object.length,
  );
  return nearest && { tool: nearest, values: required(nearest).map((name) => [name, name]) };
}

interface Parts {
  verb: string;
  object: string;
}

/** Each tool is compared with all others of its source. */
const known = new WeakMap<ToolRecord, Parts>();

/** What a tool does to what: by method and path for an operation, otherwise by the words of its name. */
function partsOf(tool: ToolRecord): Parts {
  const parts = known.get(tool) ?? readParts(tool);
  known.set(tool, parts);
  return parts;
}

function readParts({ name, source }: ToolRecord): Parts {
  if (source.kind === "openapi") {
    const { method, path } = source.operation;
    const verb = METHODS[method.toLowerCase()] ?? "";
    const thing = verb === "create" ? path : path.replace(/\/\{[^}]*\}$/, "");
    // A POST to a thing itself is an action, and no other operation of its path takes it back.
    const isPlain = verb === "create" ? !path.endsWith("}") : path.endsWith("}");
    return { verb: isPlain ? verb : "", object: `${source.file} ${thing}` };
  }
  const [verb = "", ...object] = ownWords(name);
  return { verb, object: object.join(" ").replace(/s$/, "") };
}

const METHODS: Record<string, string> = {
  post: "create",
  delete: "delete",
  put: "put",
  patch: "patch",
  get: "get",
};

function namesOf({ parameters }: ToolRecord): string[] {
  return Object.keys(parameters.properties);
}

function required({ parameters }: ToolRecord): string[] {
  return parameters.required ?? [];
}

function resultNames({ returns }: ToolRecord): string[] {
  return isSchema(returns?.properties) ? Object.keys(returns.properties) : [];
}

function isId(name: string): boolean {
  return wordsOf(name).at(-1) === "id" || name === "number" || name === "key";
}

function callOf({ id }: ToolRecord, values: Values): string {
  const given = values.map(([name, value]) =>
    name === value && /^[A-Za-z_$][\w$]*$/.test(name)
      ? name
      : `${JSON.stringify(name)}: ${/^[A-Za-z_$][\w$.]*$/.test(value) ? value : `args[${JSON.stringify(value)}]`}`,
  );
  return `${id}({ ${given.join(", ")} })`;
}

function valueIn(values: Values, name: string): string {
  return values.find(([one]) => one === name)?.[1] ?? name;
}
