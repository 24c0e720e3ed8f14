import { oneLine } from "../../../common/errors.js";
import { codeNames } from "../../../plans/codeNames.js";
import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import { type Field, fieldsOf, inBrackets, typeText } from "../../../common/schemas/typeText.js";
import type { JsonSchema } from "../../../tools/tool.js";
import type { OfferedTool } from "../../shared/stageInputs.js";

/**
 * Asks for a program, which is read, checked and followed by `plans/program/`. Weak models take values over
 * from an example: this one holds none that a request could want.
 */
export const PROGRAM = [
  "You write a short TypeScript program that fulfils a request. It is checked, and then carried out as it stands.",
  [
    "Reply with one ts block and nothing else. Example, for a request to repaint old buoys of row Q7:",
    "```ts",
    'const buoys = await list_buoys({ row: "Q7" });',
    "const old = buoys.filter((buoy) => daysBetween(buoy.painted_on, today) > 90);",
    "for (const buoy of old) {",
    "  await repaint_buoy({ buoy_id: buoy.id });",
    "}",
    "return `Repainted ${old.length} of ${buoys.length} buoys of row Q7.`;",
    "```",
  ].join("\n"),
  [
    "- Call only the functions below: await each, and pass one object as declared.",
    "- Values come from the request or from results. Work nothing out in your head; look up what the request does not say. Leave out optional arguments that it does not need, but set a limit high where all is wanted.",
    "- For each of several things, use `for … of`; where one call takes the whole list, make that one call.",
    '- `need("send an e-mail");`, a line of its own, says what no function does. The library is searched before anything runs; you complete the program then. `look(value, "question")` shows you a value that has to be read, and gives your answer as text.',
    "- Also there: `today` (YYYY-MM-DD), daysBetween(from, to), addDays(date, days), sum(list), average(list), round(number, digits), unique(list), groupBy(list, (item) => key), a list of { key, items }.",
    "- Not there: while, functions of your own, classes, imports, regular expressions, assignments to fields; `list.push(x)` is fine.",
    "- End with `return` and a template string that answers the whole request: names rather than ids. If nothing of it can be done, `throw new Error(why)`.",
  ].join("\n"),
].join("\n\n");

/** Tools as declarations, with what they and their arguments are for. */
export function declarationLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools.map((tool) => declarationText(tool, names.get(tool.name) ?? tool.name)).join("\n");
}

function declarationText(tool: OfferedTool, name: string): string {
  const { description, parameters, returns } = tool;
  const result = returns ? resultText(inlineRefs(returns)) : "unknown";
  return [
    comment(description),
    `declare function ${name}(${argumentsText(inlineRefs(parameters))}): Promise<${result}>;${returnsText(result, returns)}`,
  ].join("\n");
}

/** In one line where nothing is said of the single arguments. */
function argumentsText(parameters: JsonSchema): string {
  const fields = fieldsOf(parameters);
  if (fields.length === 0) return "";
  const told = fields.map((field) => ({ field, text: fieldText(field, parameters) }));
  if (told.every(({ text }) => text === "")) {
    return `args: { ${fields.map(declared).join("; ")} }`;
  }
  const lines = told.map(({ field, text }) => `  ${declared(field)}${text && ` // ${text}`}`);
  return ["args: {", ...lines, "}"].join("\n");
}

function declared({ key, mark, type }: Field): string {
  return `${key}${mark}: ${type}`;
}

/** What an argument is for, and what is taken where it is left out, unless that is said anyway. */
function fieldText({ name, text }: Field, { properties }: JsonSchema): string {
  const schema = isSchema(properties) ? properties[name] : undefined;
  const { default: value } = isSchema(schema) ? schema : {};
  const isTold = value === undefined || /default/i.test(text);
  return oneLine(`${text}${isTold ? "" : ` (default ${JSON.stringify(value)})`}`);
}

/** What a function gives; a field of which no type stands there is a text. */
function resultText(schema: unknown): string {
  if (!isSchema(schema)) return "unknown";
  const { type, items, properties } = schema;
  if (type === "array") return `${inBrackets(resultText(items))}[]`;
  if (type !== "object" || !isSchema(properties)) return typeText(schema);
  const fields = fieldsOf(schema).map(({ name, key, mark }) => {
    const text = resultText(properties[name]);
    return `${key}${mark}${text === "string" ? "" : `: ${text}`}`;
  });
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : typeText(schema);
}

/** What a result is whose type says nothing of it: ids look like any other texts. */
function returnsText(result: string, returns: JsonSchema | undefined): string {
  const text = returns?.["description"];
  if (typeof text !== "string" || !/^(string(\[\])?|unknown)$/.test(result)) return "";
  return text.trim() && ` // ${oneLine(text)}`;
}

/** In one line, which the text cannot end early. */
function comment(text: string): string {
  return `/** ${oneLine(text.replaceAll("*/", "* /"))} */`;
}
