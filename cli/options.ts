import { Help, InvalidArgumentError } from "commander";
import { z } from "zod";
import { InvalidSetting, messageOf } from "../common/errors.js";
import { fileText } from "../common/dataFile.js";
import type { JsonSchema } from "../common/schemas/jsonSchema.js";
import { givenFields } from "../common/givenFields.js";
import { SETTING_GROUPS, settingsSchema } from "../state/settings.js";
import type { RunOutput } from "./runs/prepareRun.js";
import { tell, terminalWidth } from "./printing/print.js";

/** Columns of help that is not printed to a terminal, as in Commander. */
const USUAL_WIDTH = 80;

/** Options of every command that runs a graph. */
export interface RunOptions extends RunOutput {
  library?: string;
  model?: string;
  budget?: string;
  set?: Record<string, unknown>;
}

/** `--set`, for settings that have no option of their own. */
export const SET_OPTION = {
  "--set <setting=value>": {
    text: "any other setting of the run; repeatable",
    read: toSetting,
  },
};

/** The options of every command that runs a graph. */
export const RUN_OPTIONS = {
  "--model <provider:name>": "chat model, such as openai:gpt-4.1-mini or ollama:qwen3",
  ...SET_OPTION,
  "--no-stream": "print only the answer",
};

/** The given settings, under the names that the graphs use. If the library is a file, its functions are imported first. */
export async function settingsOf(options: RunOptions): Promise<Record<string, unknown>> {
  const { model, budget, set } = options;
  const library =
    options.library && isFile(options.library)
      ? await importedFrom(options.library)
      : options.library;
  return { ...set, ...givenFields({ library, model, budget }) };
}

/** If the user names no model, takes an available one and reports what else could be used. */
export async function withModel(given: Record<string, unknown>) {
  if (given["model"] !== undefined) return { settings: given };
  const { firstModel } = await import("../models/firstModel.js");
  const { model, why, offers } = await firstModel();
  for (const offer of offers) tell(`note: ${offer}`);
  return { settings: { ...given, model }, modelWhy: why };
}

/** Loaded late, because it takes what runs take; commands without a run start in 40 % of the time. */
async function importedFrom(file: string): Promise<string> {
  const { importFile } = await import("./sources/importFile.js");
  return (await importFile({ file })).library;
}

function isFile(library: string): boolean {
  return /[/\\]|\.[cm]?[jt]sx?$/.test(library);
}

/** The last section of a command's help. A long line is continued as a shell takes it. */
export function examples(lines: readonly string[]): string {
  const title = lines.length > 1 ? "Examples" : "Example";
  return `\n${title}:\n${lines.map((line) => `  ${continued(line)}\n`).join("")}`;
}

/** The words of a command line; a quoted text is one, and so is an option with its value. */
const WORDS = /(?:--?[\w-]+ )?(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

function continued(line: string): string {
  const [first = "", ...words] = line.length > USUAL_WIDTH - 2 ? (line.match(WORDS) ?? []) : [line];
  let column = 2 + first.length;
  return words.reduce((text, word) => {
    // Room for the space before the word and the backslash after it.
    const fits = column + 1 + word.length + 2 <= USUAL_WIDTH;
    column = fits ? column + 1 + word.length : 6 + word.length;
    return text + (fits ? " " : " \\\n      ") + word;
  }, first);
}

/**
 * The sections of a command's help that list the settings for `--set`, with their values and defaults. The model is
 * not among them: every such command has an option for it.
 */
export function settingsHelp(): string {
  const { model: _model, ...properties } = settingProperties();
  const width = Math.max(...Object.keys(properties).map((name) => name.length));
  const help = Object.assign(new Help(), { helpWidth: terminalWidth() ?? USUAL_WIDTH });
  const headings = new Map<string, string>(SETTING_GROUPS);
  const sections = Object.entries(properties).flatMap(([name, property]) => {
    const heading = headings.get(name);
    const item = help.formatItem(name, width, settingText(Object(property)), help);
    return [...(heading === undefined ? [] : [`\n${heading} (--set):`]), item];
  });
  return `${sections.join("\n")}\n`;
}

/** How a value of `--set` may go on. */
export function settingValues(typed: string): string[] {
  const properties = settingProperties();
  const [name = ""] = typed.split("=");
  if (!typed.includes("=")) return Object.keys(properties).map((setting) => `${setting}=`);
  const { type, enum: choices }: JsonSchema = Object(properties[name]);
  const values: unknown[] = Array.isArray(choices) ? choices : [];
  return (type === "boolean" ? [true, false] : values).map((value) => `${name}=${String(value)}`);
}

function settingProperties(): Record<string, unknown> {
  return z.toJSONSchema(settingsSchema, { io: "input" }).properties ?? {};
}

/** "How tools are found (both, meaning or words; default: both)" */
function settingText({ description = "", default: usual, ...values }: JsonSchema): string {
  const facts = [
    valuesText(values),
    usual === undefined
      ? ""
      : `default: ${typeof usual === "string" ? usual : JSON.stringify(usual)}`,
  ];
  return `${String(description)} (${facts.filter(Boolean).join("; ")})`;
}

/** The values that a setting takes: "true or false", "a whole number from 1 to 5000". */
export function valuesText({ type, enum: choices, anyOf, items, ...range }: JsonSchema): string {
  if (Array.isArray(choices)) return eitherOf(choices.map(String));
  if (Array.isArray(anyOf)) return eitherOf(anyOf.map((each) => valuesText(Object(each))));
  if (type === "boolean") return "true or false";
  if (items) return `a list as JSON, such as ["a", "b"]`;
  if (type !== "number" && type !== "integer") return "text";
  const { minimum, exclusiveMinimum, maximum } = range;
  const bounds = [
    typeof exclusiveMinimum === "number" ? above(exclusiveMinimum, type) : "",
    typeof minimum === "number" && isBound(minimum) ? `from ${minimum}` : "",
    typeof maximum === "number" && isBound(maximum) ? `to ${maximum}` : "",
  ];
  return [type === "integer" ? "a whole number" : "a number", ...bounds].filter(Boolean).join(" ");
}

function above(least: number, type: string): string {
  return type === "integer" ? `from ${least + 1}` : `above ${least}`;
}

/** Whether a limit was stated, rather than following from what a JSON number can hold. */
function isBound(limit: number): boolean {
  return Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}

function eitherOf(words: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}

function toNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("Not a number");
  return value;
}

/** Collects the values of a repeatable option. */
export function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Reads a whole number within bounds. */
function wholeWithin(least: number, most: number, what: string): (text: string) => number {
  return (text) => {
    const value = toNumber(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Not ${what}`);
  };
}

/** A whole number from 1. */
export const toCount = wholeWithin(1, Infinity, "a count from 1 up");

/** A whole number from 1 to a bound. */
export function toCountWithin(most: number): (text: string) => number {
  return wholeWithin(1, most, `a count from 1 to ${most}`);
}

/** A count that may be 0. */
export const toCountOrNone = wholeWithin(0, Infinity, "a count from 0 up");

export const toWhole = wholeWithin(
  -Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  "a whole number",
);

/** A port, or 0 for any free one. */
export const toPort = wholeWithin(0, 65_535, "a port from 0 to 65535");

/** A number above 0. */
export function toAmount(text: string): number {
  const value = toNumber(text);
  if (value <= 0) throw new InvalidArgumentError("Not an amount above 0");
  return value;
}

/** Names separated by commas, each once. */
export function toList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("Write it as a,b,c");
  return [...new Set(names)];
}

/** `maxDepth=3` becomes a number, `model=a:b` a text: a value that is JSON is read as JSON. */
function toSetting(text: string, settings: Record<string, unknown> = {}): Record<string, unknown> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as setting=value");
  return { ...settings, [text.slice(0, at)]: jsonOrText(text.slice(at + 1)) };
}

/** The value as JSON if it is that, otherwise the text itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain words are the usual value of a setting.
    return text;
  }
}

/** The text of a file that an option or an argument names. @throws InvalidSetting if it cannot be read */
export function readTextFile(named: { file: string; setting: string; hint: string }): string {
  const { file, setting, hint } = named;
  try {
    return fileText(file);
  } catch (error) {
    throw new InvalidSetting({ setting, problem: `cannot be read (${messageOf(error)})`, hint });
  }
}

/** A secret does not belong on a command line, where other programs and the shell's history see it. */
export function secretOf(setting: string, reference?: string): string | undefined {
  if (reference === undefined) return undefined;
  const [, name = ""] = /^\$\{?(\w+)\}?$/.exec(reference) ?? [];
  const value = process.env[name];
  if (value) return value;
  throw new InvalidSetting({
    setting,
    problem: name ? `the environment variable ${name} is not set` : "names no variable",
    hint: "Put the secret in an environment variable or in .env and write its name: '$SECRET'",
  });
}
