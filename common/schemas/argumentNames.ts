import { freeName } from "../codeNames.js";
import type { JsonSchema } from "./jsonSchema.js";
import { mapParts } from "./parts.js";
import { isSchema } from "./referredSchema.js";
import { withoutRootChoices } from "./rootChoices.js";

const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

interface WireParameters {
  parameters: JsonSchema;
  /** The arguments of a call under their own names. */
  read: <Value>(args: Value) => Value;
}

/**
 * The parameters of a tool as providers accept them: without choices at the root and definitions that nothing refers to,
 * and with other names for arguments whose own they refuse, such as `城市` or `$top`. The description then begins with the
 * argument's own name.
 */
export function wireParameters(parameters: JsonSchema): WireParameters {
  const plain = withoutUnused(withoutRootChoices(parameters));
  const refused = namesIn(plain).filter((name) => !ACCEPTED.test(name));
  if (refused.length === 0) return { parameters: plain, read: (args) => args };
  const taken = new Set(namesIn(plain));
  const wireNames = new Map<string, string>();
  for (const name of new Set(refused)) {
    const wireName = freeName(plainName(name) || "argument", taken);
    taken.add(wireName);
    wireNames.set(name, wireName);
  }
  const names = new Map([...wireNames].map(([name, wireName]) => [wireName, name]));
  return {
    parameters: renamed(plain, wireNames),
    read: (args) => keysRenamed(args, names) as typeof args,
  };
}

const DEFINITIONS = ["$defs", "definitions"];

/** Servers that are made from a document often send all of its definitions with each tool, thousands of characters. */
function withoutUnused(schema: JsonSchema): JsonSchema {
  const all = DEFINITIONS.flatMap((keyword) =>
    Object.entries(isSchema(schema[keyword]) ? schema[keyword] : {}).map(([name, part]) => ({
      keyword,
      name,
      part,
    })),
  );
  // Other references may mean any of them.
  if (all.length === 0 || /"\$(?:dynamicRef|ref)":"(?!#(?:\/|"))/.test(JSON.stringify(schema)))
    return schema;
  const own = Object.entries(schema).filter(([keyword]) => !DEFINITIONS.includes(keyword));
  const used = new Set<(typeof all)[number]>();
  const addUsedIn = (text: string): void => {
    for (const one of all) {
      const { keyword, name, part } = one;
      // A name with other signs is escaped in references.
      const isUsed = !/^[\w.-]+$/.test(name) || text.includes(`"#/${keyword}/${name}`);
      if (used.has(one) || !isUsed) continue;
      used.add(one);
      addUsedIn(JSON.stringify(part));
    }
  };
  addUsedIn(JSON.stringify(own));
  const kept = DEFINITIONS.flatMap((keyword) => {
    const parts = all.filter((one) => one.keyword === keyword && used.has(one));
    const named = Object.fromEntries(parts.map(({ name, part }) => [name, part]));
    return parts.length > 0 ? [[keyword, named] as const] : [];
  });
  return Object.fromEntries([...own, ...kept]);
}

/** Signs that tell the arguments of a filter apart. */
const SIGNS: readonly [sign: string, word: string][] = [
  ["<=", "_lte"],
  [">=", "_gte"],
  ["!=", "_not"],
  ["<", "_lt"],
  [">", "_gt"],
  ["!", "_not"],
];

/** A name with only letters, digits, `_`, `.` and `-`, at most 50; empty if none is left. */
export function plainName(name: string): string {
  const worded = SIGNS.reduce((text, [sign, word]) => text.replaceAll(sign, word), name);
  return worded
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 50);
}

export function isArgumentName(name: string): boolean {
  return ACCEPTED.test(name);
}

function namesIn(schema: JsonSchema): string[] {
  const names = isSchema(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  mapParts(schema, (part) => {
    names.push(...namesIn(part));
    return part;
  });
  return names;
}

function renamed(schema: JsonSchema, wireNames: ReadonlyMap<string, string>): JsonSchema {
  const inner = mapParts(schema, (part) => renamed(part, wireNames));
  const { properties, required } = inner;
  const wire = (name: string) => wireNames.get(name) ?? name;
  return {
    ...inner,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) =>
          wireNames.has(name) ? [wire(name), described(name, part)] : [name, part],
        ),
      ),
    }),
    ...(Array.isArray(required) && { required: (required as string[]).map(wire) }),
  };
}

function described(name: string, part: unknown): JsonSchema {
  const schema = isSchema(part) ? part : {};
  const { description } = schema;
  return {
    ...schema,
    description: typeof description === "string" ? `${name}: ${description}` : name,
  };
}

function keysRenamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => keysRenamed(each, names));
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [names.get(key) ?? key, keysRenamed(each, names)]),
  );
}
