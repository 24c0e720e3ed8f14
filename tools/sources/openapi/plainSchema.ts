import { clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { modernKeywords, plainKeyword } from "../../../common/schemas/keywords.js";
import { fittedValues, nullableAs } from "../../../common/schemas/schemaValues.js";
import { isSchema, referredSchema } from "../../../common/schemas/referredSchema.js";
import { JSON_TYPES, type JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** What a plain schema is for. */
interface SchemaUse {
  /** The document that references point into. */
  document: JsonSchema;
  /** A request omits what is read-only, a response what is write-only. */
  side: "request" | "response";
  /** Characters that the schema may have. */
  most: number;
  /** Whether bytes can only be written as a text, as in JSON. */
  isText?: boolean;
}

/** Levels of objects and lists, and characters of each text: the first attempt that fits is used. */
const ATTEMPTS = [
  { depth: 10, text: 300 },
  { depth: 6, text: 300 },
  { depth: 4, text: 300 },
  { depth: 4, text: 100 },
  { depth: 3, text: 100 },
  { depth: 4, text: 0 },
  { depth: 3, text: 0 },
  { depth: 2, text: 0 },
  { depth: 1, text: 0 },
] as const;

/** With more values than this, only the type is kept. */
const MOST_CHOICES = 100;

/** The formats that the runtime checks; all others only describe how numbers and bytes are stored. */
const FORMATS = new Set(["date", "date-time", "time", "email", "uuid", "ipv4", "ipv6"]);

/** Combined schemas may contain combined schemas, and even themselves. */
const DEEPEST_MERGE = 8;

/** Keywords that limit the values of requests. */
const BOUNDS =
  "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties multipleOf uniqueItems pattern".split(
    " ",
  );

/**
 * A schema of a document (OpenAPI 3.0 or 3.1) as JSON Schema that model providers accept: without references, and
 * of bounded depth and size. Anything deeper, or recursive, may be any value of its type.
 *
 * A default is stated in the description, not as a keyword: it is what the API assumes without the value. As a keyword
 * it would be filled into calls, and an update would reset what nobody mentioned.
 *
 * @returns undefined for one that cannot be made small enough
 */
export function plainSchema(schema: unknown, use: SchemaUse): JsonSchema | undefined {
  for (const attempt of ATTEMPTS) {
    const left = { characters: use.most };
    const done = plain(schema, { ...use, ...attempt, left, within: [] });
    if (left.characters >= 0) return done;
  }
  return undefined;
}

interface Walk extends SchemaUse {
  /** Levels still allowed. */
  depth: number;
  /** Characters of a text; 0 for none. */
  text: number;
  /** Shared by all parts; negative when the schema is too large. */
  left: { characters: number };
  /** References that enclose this part. */
  within: readonly string[];
}

function plain(given: unknown, walk: Walk): JsonSchema {
  if (!isSchema(given)) return given === false ? { not: {} } : {};
  const { $ref, ...siblings } = given;
  if (typeof $ref === "string") {
    const target = { ...referredSchema({ root: walk.document, ref: $ref }), ...siblings };
    if (walk.within.includes($ref)) return counted(stub(target, walk), walk);
    return plain(target, { ...walk, within: [...walk.within, $ref] });
  }
  // This attempt has failed already.
  if (walk.left.characters < 0) return {};
  if (walk.depth <= 0) return counted(stub(given, walk), walk);
  const schema = merged(given, { document: walk.document });
  const done: JsonSchema = {
    ...typeOf(schema),
    ...describedAs(schema, walk),
    ...choices(schema),
    ...(walk.side === "request" ? { ...bounds(schema), ...encoding(schema, walk) } : {}),
  };
  counted(done, walk);
  return nullableAs(schema, { ...fittedValues(done), ...parts(schema, walk) });
}

/** Subtracts the size of a part, without its own parts, from what is left. */
function counted(schema: JsonSchema, { left }: Walk): JsonSchema {
  left.characters -= JSON.stringify(schema).length + 1;
  return schema;
}

/** The type and description of a schema, without its parts. */
function stub(schema: JsonSchema, walk: Walk): JsonSchema {
  const { type } = typeOf(schema);
  return nullableAs(schema, {
    ...(type === undefined ? {} : { type }),
    // Providers require `items` of arrays.
    ...(type === "array" ? { items: {} } : {}),
    ...describedAs(schema, walk),
  });
}

function typeOf(schema: JsonSchema): { type?: unknown } {
  const { type, properties, items } = schema;
  const given = (Array.isArray(type) ? type : [type]).map((each) =>
    typeof each === "string" ? each.toLowerCase() : each,
  );
  // Documents use other types, too.
  const known = given.filter((each) => JSON_TYPES.has(each));
  if (known.length > 0) return { type: known.length === 1 ? known[0] : [...new Set(known)] };
  if (isSchema(properties)) return { type: "object" };
  return isSchema(items) ? { type: "array" } : {};
}

function describedAs(schema: JsonSchema, { text: most }: Walk): { description?: string } {
  if (most === 0) return {};
  const { description, default: usual, title } = schema;
  const said = [description, title].find((text) => typeof text === "string" && text !== "");
  const text = plainText(typeof said === "string" ? said : "", most);
  const known = usual === undefined || usual === null ? "" : JSON.stringify(usual);
  const without = known === "" || known.length > 60 ? "" : `(default: ${known})`;
  const whole = [text, without].filter(Boolean).join(" ");
  return whole === "" ? {} : { description: whole };
}

function choices({ enum: values, const: only }: JsonSchema): JsonSchema {
  if (only !== undefined) return { const: only };
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_CHOICES) return {};
  return { enum: [...new Set(values)] };
}

function bounds(schema: JsonSchema): JsonSchema {
  const modern = modernKeywords(schema);
  const read = BOUNDS.flatMap((keyword): [string, unknown][] => {
    const { value } = plainKeyword(keyword, modern[keyword]);
    return value === undefined || value === false ? [] : [[keyword, value]];
  });
  const { format } = schema;
  const isChecked = typeof format === "string" && FORMATS.has(format);
  return { ...Object.fromEntries(read), ...(isChecked && { format }) };
}

const BYTES: readonly unknown[] = ["byte", "base64", "binary"];

/** Of a file, its contents are sent where bytes are wanted as a text. */
function encoding({ format, contentEncoding: written }: JsonSchema, { isText }: Walk): JsonSchema {
  const isBase64 =
    written === "base64" || (isText && written === undefined && BYTES.includes(format));
  return isBase64 ? { contentEncoding: "base64" } : {};
}

function parts(schema: JsonSchema, walk: Walk): JsonSchema {
  const inside = { ...walk, depth: walk.depth - 1 };
  const done: JsonSchema = {};
  const { items, additionalProperties, prefixItems } = schema;
  if (isSchema(schema["properties"])) Object.assign(done, properties(schema, inside));
  if (isSchema(additionalProperties)) {
    done["additionalProperties"] = plain(additionalProperties, inside);
  } else if (typeof additionalProperties === "boolean" && walk.side === "request") {
    done["additionalProperties"] = additionalProperties;
  }
  const { type } = typeOf(schema);
  if (type === "array" || (Array.isArray(type) && type.includes("array"))) {
    done["items"] = Array.isArray(prefixItems) ? {} : plain(items, inside);
  }
  const alternatives = [schema["anyOf"], schema["oneOf"]].find((some) => Array.isArray(some));
  const told = (alternatives ?? []).filter(saysMoreThanRequired);
  // By `oneOf`, APIs more often mean "any of these" than "exactly one of these".
  if (told.length > 0) done["anyOf"] = told.map((each) => plain(each, inside));
  return done;
}

/** Which properties must occur together is left for the API to check. */
function saysMoreThanRequired(alternative: unknown): boolean {
  return !isSchema(alternative) || Object.keys(alternative).some((key) => key !== "required");
}

function properties(schema: JsonSchema, inside: Walk): JsonSchema {
  const unseen = inside.side === "request" ? "readOnly" : "writeOnly";
  const kept = Object.entries(schema["properties"] as JsonSchema).filter(
    ([, property]) => resolved(property, inside.document)[unseen] !== true,
  );
  const done = kept.map(([name, property]) => {
    inside.left.characters -= name.length + 4;
    return [name, plain(property, inside)] as const;
  });
  const names = new Set(kept.map(([name]) => name));
  const needed = [...new Set(requiredOf(schema))].filter((name) => names.has(name));
  return {
    properties: Object.fromEntries(done),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/** A schema merged with its `allOf`: `properties` and `required` add up; of other keywords the last one counts. */
export function merged(
  { allOf, ...own }: JsonSchema,
  { document, depth = 0 }: { document: JsonSchema; depth?: number },
): JsonSchema {
  if (!Array.isArray(allOf) || depth > DEEPEST_MERGE) return own;
  const others = allOf.map((part) =>
    merged(resolved(part, document), { document, depth: depth + 1 }),
  );
  const all = [...others, own];
  const properties = new Map<string, unknown>();
  for (const { properties: some } of all)
    for (const [name, schema] of Object.entries(Object(some) as JsonSchema)) {
      const known = properties.get(name);
      properties.set(name, isSchema(known) && isSchema(schema) ? { ...known, ...schema } : schema);
    }
  const required = [...new Set(all.flatMap(requiredOf))];
  const choosing = all.filter(({ anyOf, oneOf }) => anyOf !== undefined || oneOf !== undefined);
  const ways = new Set(choosing.flatMap(({ anyOf, oneOf }) => anyOf ?? oneOf));
  return {
    ...Object.assign({}, ...all),
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    // What fits one alternative of each part fits one of them all.
    ...(choosing.length > 1 ? { anyOf: [...ways], oneOf: undefined } : {}),
  };
}

export function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** The schema that a chain of references leads to; an empty one if they form a circle. */
export function resolved(given: unknown, document: JsonSchema): JsonSchema {
  let schema = given;
  for (let steps = 0; steps < 50; steps += 1) {
    if (!isSchema(schema)) return {};
    const { $ref, ...siblings } = schema;
    if (typeof $ref !== "string") return schema;
    schema = { ...referredSchema({ root: document, ref: $ref }), ...siblings };
  }
  return {};
}

/** Only tags that format text: anything else in angle brackets may be a placeholder, or an instruction to the model. */
const TAGS =
  /<\/?(?:a|b|i|p|br|ul|ol|li|em|strong|code|pre|div|span|table|thead|tbody|tr|td|th|h[1-6]|details|img)(?:\s[^<>]{0,300})?\/?>/gi;

/**
 * A text of a document in one line for a model, without the addresses of links and the markup of Markdown and HTML,
 * which cost tokens and say nothing.
 */
export function plainText(text: string, most: number): string {
  const plain = text
    .replaceAll(/!?\[([^\][]{0,300})\]\([^()\s]{0,1000}\)/g, "$1")
    .replaceAll(TAGS, " ")
    .replaceAll(/^[ \t]*>[ \t]?(?:\[![A-Z]+\])?/gm, "")
    .replaceAll(/(\*\*|__)(?=\S)/g, "")
    .replaceAll(/(?<=\S)(\*\*|__)/g, "");
  return clipped(oneLine(plain), most);
}
