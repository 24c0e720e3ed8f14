import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { referredSchema } from "../../common/schemas/referredSchema.js";
import { isPlainObject } from "../../plans/references.js";
import type { JsonSchema } from "../../tools/tool.js";
import { conceptsOf } from "./text.js";

/** The kinds of arguments that can be read from a text. */
export type ValueType = "number" | "integer" | "string" | "boolean" | "list" | "object" | "unknown";

/** A parameter of an offered tool, ready to be compared with a text. */
export interface Parameter {
  /** Its name; for a field of an object parameter, the path with dots. */
  name: string;
  path: string[];
  /** Name and description. */
  text: string;
  type: ValueType;
  required: boolean;
  /** Allowed values, if limited. */
  choices?: unknown[];
  /** Type of the items of a list. */
  itemType?: ValueType;
  nameConcepts: Set<string>;
  textConcepts: Set<string>;
}

const parametersOfTool = new WeakMap<JsonSchema, Parameter[]>();

/** Parameters of a tool in the order of its schema. */
export function parametersOf({ parameters }: Pick<OfferedTool, "parameters">): Parameter[] {
  const known = parametersOfTool.get(parameters);
  if (known) return known;
  const read = readParameters(parameters, parameters);
  parametersOfTool.set(parameters, read);
  return read;
}

/** Depth to which nested objects are read, because schemas may be recursive. */
const DEEPEST = 3;

/** Parameters of an object schema, including fields of nested objects; `root` holds definitions. */
function readParameters(schema: JsonSchema, root: JsonSchema, path: string[] = []): Parameter[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(recordOf(schema["properties"])).flatMap(([name, raw]) => {
    const resolved = resolveSchema(recordOf(raw), root);
    const here = [...path, name];
    const isRequired = required.includes(name);
    if (typeOf(resolved) === "object" && resolved["properties"] && here.length <= DEEPEST) {
      const fields = readParameters(resolved, root, here);
      return isRequired ? fields : fields.map((field) => ({ ...field, required: false }));
    }
    return [readParameter({ path: here, schema: resolved, root, required: isRequired })];
  });
}

function readParameter(options: {
  path: string[];
  schema: JsonSchema;
  root: JsonSchema;
  required: boolean;
}): Parameter {
  const { path, schema, root, required } = options;
  const name = path.join(".");
  const text = `${name} ${stringOf(schema["description"])}`;
  return {
    name,
    path,
    text,
    type: typeOf(schema),
    required,
    choices: choicesOf(schema),
    itemType: typeOf(resolveSchema(recordOf(schema["items"]), root)),
    nameConcepts: new Set(conceptsOf(name)),
    textConcepts: new Set(conceptsOf(text)),
  };
}

/** Follows `$ref` and takes the first real branch of a union, keeping the outer description. */
function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, anyOf, oneOf, ...outer } = schema;
  if (typeof $ref === "string" && $ref) {
    return { ...referredSchema({ root, ref: $ref }), ...outer };
  }
  const union = anyOf ?? oneOf;
  if (!Array.isArray(union)) return schema;
  const branches = union.map((branch) => recordOf(branch));
  const constants = branches.filter((branch) => "const" in branch);
  if (constants.length === branches.length) {
    return { ...schema, enum: constants.map((branch) => branch["const"]) };
  }
  const branch = branches.find(({ type }) => type !== "null") ?? {};
  return { ...branch, ...outer };
}

function typeOf(schema: JsonSchema): ValueType {
  const declared = schema["type"];
  const type = Array.isArray(declared) ? declared.find((one) => one !== "null") : declared;
  if (type === "number" || type === "integer" || type === "string" || type === "boolean")
    return type;
  if (type === "array") return "list";
  if (type === "object") return "object";
  return "unknown";
}

function choicesOf(schema: JsonSchema): unknown[] | undefined {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  return "const" in schema ? [schema["const"]] : undefined;
}

/** An unknown value as a record; empty if it is not one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
