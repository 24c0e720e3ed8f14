import { grouped } from "../../common/grouped.js";
import { clipped } from "../../common/text.js";
import { groupOf, memberOf } from "../../common/codeNames.js";
import { inBrief, oneLine } from "../../common/errors.js";
import { saysMore, sharedStart } from "../../common/nearNames.js";
import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { type Field, fieldsOf, inBrackets, typeText } from "../../common/schemas/typeText.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { estimateTokens } from "../../common/tokens.js";
import type { OfferedTool } from "../kit/stageInputs.js";

/** Most tokens of one declaration. A longer one leaves out descriptions of arguments, or what is optional. */
const LONGEST = 300;

/** Most tokens of the type of a result. A longer one leaves out fields and what is deep in it. */
const LONGEST_RESULT = 100;

/** Most characters of a description of a function, in full or in brief, and of an argument. */
const DESCRIBED = { function: 200, argument: 80 };

/** All of these functions, declared in full, as in a `.d.ts`. */
export function declarationLines(tools: readonly OfferedTool[]): string {
  return declarations(withoutShared(tools).map(declarationOf));
}

/** A function with its declaration, but for what makes it one of its group. */
export interface Declared {
  name: string;
  text: string;
}

/** Declares functions, those of a group together in a namespace: models write what they see without "declare". */
export function declarations(functions: readonly Declared[]): string {
  const groups = grouped(functions, ({ name }) => groupOf(name) ?? "");
  return Array.from(groups, ([group, own]) => {
    const texts = own.map(({ text }) => text);
    if (group === "") return texts.map((text) => text.replace(FUNCTION, "declare $&")).join("\n");
    return `declare namespace ${group} {\n${texts.join("\n")}\n}`;
  }).join("\n");
}

const FUNCTION = /^function /m;

/**
 * Functions by group, a line for each: "- git: commit(message) log". A comma would cost a token for each name.
 *
 * @param heads what to call the groups
 */
export function linesByGroup(
  functions: Iterable<readonly [name: string, argumentNames: string]>,
  heads: ReadonlyMap<string, string> = new Map(),
): string {
  const lines = new Map<string, string[]>();
  for (const [name, names] of functions) {
    const group = groupOf(name) ?? "";
    const members = lines.get(group) ?? [];
    members.push(memberOf(name) + names);
    lines.set(group, members);
  }
  return Array.from(lines, ([group, members]) => {
    const head = group && `${heads.get(group) ?? group}: `;
    return `- ${head}${members.join(" ")}`;
  }).join("\n");
}

/** The names of a function's arguments; lists are marked: "(path, ids[], all?)". */
export function argumentNames(tool: Pick<OfferedTool, "parameters">): string {
  const names = fewArguments(tool).map(
    ({ key, mark, type }) => `${key}${type.endsWith("[]") ? "[]" : ""}${mark}`,
  );
  return `(${names.join(", ")})`;
}

/** Characters of a function among those of its group in a line. */
export function lineLength(name: string, tool: Pick<OfferedTool, "parameters">): number {
  return memberOf(name).length + argumentNames(tool).length;
}

/** The required arguments of a function, and optional ones if these are few, or are all that it is asked by. */
export function fewArguments({ parameters }: Pick<OfferedTool, "parameters">): Field[] {
  const fields = fieldsOf(inlineRefs(parameters));
  const required = fields.filter(({ mark }) => mark === "");
  const optional = fields.filter(({ mark }) => mark !== "");
  const most = required.length === 0 ? MOST_FILTERS : FEWEST - required.length;
  return [...required, ...optional.slice(0, Math.max(0, most))];
}

/** What a list is filtered by: without their names, only the whole of it can be asked for. */
const MOST_FILTERS = 16;

/** Optional arguments are named if there are not as many others. */
const FEWEST = 2;

/** The tools without what the texts of a group begin with alike, up to a mark between phrases: "Notion | ". */
export function withoutShared(tools: readonly OfferedTool[]): OfferedTool[] {
  const texts = new Map<string, string[]>();
  for (const { name, description } of tools) {
    const group = groupOf(name);
    if (group !== undefined) texts.set(group, [...(texts.get(group) ?? []), description]);
  }
  return tools.map((tool) => {
    const alike = texts.get(groupOf(tool.name) ?? "") ?? [];
    const start = alike.length < 2 ? "" : (SHARED.exec(sharedStart(alike))?.[0] ?? "");
    return { ...tool, description: tool.description.slice(start.length) || tool.description };
  });
}

const SHARED = /^.*(?:[|:]|\s[-–—])\s+/su;

export function declarationTokens(tool: OfferedTool): number {
  return estimateTokens(declarationOf(tool).text);
}

export function declarationOf(tool: OfferedTool): Declared {
  const { name, description, parameters, returns, seen } = tool;
  const type = returns ?? seen?.type;
  const result = type ? resultType(inlineRefs(type)) : "unknown";
  // `Promise<unknown>` says nothing about an awaited call.
  const promise = result === "unknown" ? "" : `: Promise<${result}>`;
  const said = clipped(oneLine(withoutSections(description)), DESCRIBED.function);
  const write = (which: Which) =>
    [
      ...(said ? [`// ${said}`] : []),
      `function ${memberOf(name)}(${argumentsText(inlineRefs(parameters), which, [name, said])})${promise};${returns || promise === "" ? returnsText(result, returns) : seenText(seen)}`,
    ].join("\n");
  const forms = (["all", "typed"] as const).map(write);
  const fitting = forms.find((text) => estimateTokens(text) <= LONGEST);
  return { name, text: fitting ?? write("required") };
}

/** A text before its first section, such as "Args:" or "Error Responses:", which the declaration tells or nobody needs. */
export function withoutSections(text: string): string {
  const [before = ""] = text.split(SECTION, 1);
  return before.trim() === "" ? text : before;
}

const SECTION = /\n\s*\p{Lu}[\p{L} ]{0,30}:\s*(?:\n|$)/u;

/** Which arguments are declared: all, all without descriptions, or, with the names of the others, the required ones. */
type Which = "all" | "typed" | "required";

/**
 * On one line if no argument has a description.
 *
 * @param known names and texts that no description has to repeat
 */
function argumentsText(parameters: JsonSchema, which: Which, known: readonly string[]): string {
  const all = fieldsOf(parameters);
  const fields = which === "required" ? all.filter(({ mark }) => mark === "") : all;
  const others = all.filter((field) => !fields.includes(field)).map(({ key }) => key);
  const also = others.length > 0 && `also: ${others.join(", ")}`;
  if (all.length === 0) return "";
  const textOf = (field: Field) => (which === "typed" ? "" : fieldText(field, parameters, known));
  const told = fields.map((field) => ({ field, text: textOf(field) }));
  if (told.every(({ text }) => text === "")) {
    const keys = fields.map(declared).join("; ");
    return `args: { ${[keys, also && `/* ${also} */`].filter(Boolean).join("; ")} }`;
  }
  const lines = told.map(({ field, text }) => `  ${declared(field)}${text && ` // ${text}`}`);
  return ["args: {", ...lines, ...(also ? [`  // ${also}`] : []), "}"].join("\n");
}

function declared({ key, mark, type }: Field): string {
  return `${key}${mark}: ${type}`;
}

/** What an argument is for, and its default unless the text mentions it. */
function fieldText(field: Field, { properties }: JsonSchema, known: readonly string[]): string {
  const schema = isSchema(properties) ? properties[field.name] : undefined;
  const { default: value } = isSchema(schema) ? schema : {};
  const isMore = saysMore(field.text, [...known, field.name]);
  const text = isMore ? inBrief(field.text, DESCRIBED.argument) : "";
  const isTold = value === undefined || /default/i.test(text);
  return oneLine(`${text}${isTold ? "" : ` (default ${JSON.stringify(value)})`}`);
}

/** What is told of a giant result: objects down to a depth, and the first of their fields. */
const CUTS = [
  { depth: Infinity, most: Infinity },
  { depth: 3, most: 16 },
  { depth: 2, most: 16 },
  { depth: 2, most: 8 },
  { depth: 1, most: 8 },
];

function resultType(schema: JsonSchema): string {
  const texts = CUTS.map((cut) => resultText(schema, cut));
  const short = texts.find((text) => estimateTokens(text) <= LONGEST_RESULT);
  return short ?? texts.at(-1) ?? "unknown";
}

/** A field without a type is a string. Addresses are the first to be left out. */
function resultText(schema: unknown, { depth, most }: (typeof CUTS)[number]): string {
  if (!isSchema(schema)) return "unknown";
  const { type, items, properties, anyOf, additionalProperties: others } = schema;
  const inner = { depth: depth - 1, most };
  if (Array.isArray(anyOf))
    return [...new Set(anyOf.map((one) => resultText(one, { depth, most })))].join(" | ");
  if (type === "array") return `${inBrackets(resultText(items, { depth, most }))}[]`;
  if (type !== "object") return typeText(schema);
  if (depth === 0) return "object";
  if (!isSchema(properties))
    return isSchema(others) ? `Record<string, ${resultText(others, inner)}>` : typeText(schema);
  const all = fieldsOf(schema);
  const isAddress = (name: string) => {
    const field = properties[name];
    return isSchema(field) && field["format"] === "uri";
  };
  const told = all.length > most ? all.filter(({ name }) => !isAddress(name)).slice(0, most) : all;
  const fields = told.map(({ name, key, mark }) => {
    const text = resultText(properties[name], inner);
    return `${key}${mark}${text === "string" ? "" : `: ${text}`}`;
  });
  if (all.length === 0) return typeText(schema);
  return `{ ${[...fields, ...(told.length < all.length ? ["…"] : [])].join(", ")} }`;
}

/** Marks a type that nobody has declared. */
function seenText(seen: OfferedTool["seen"]): string {
  return seen ? ` // as seen ${seen.times === 1 ? "once" : `${seen.times} times`}` : "";
}

/** Describes a result whose type says little: an id looks like any other text. */
function returnsText(result: string, returns: JsonSchema | undefined): string {
  const text = returns?.["description"];
  if (typeof text !== "string" || !/^(string(\[\])?|unknown)$/.test(result)) return "";
  return text.trim() && ` // ${clipped(oneLine(text), DESCRIBED.argument)}`;
}
