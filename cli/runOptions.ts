import { type Command, InvalidArgumentError } from "commander";
import { type Context, contextSchema } from "../state/context.js";
import { importFile } from "./importFile.js";
import type { RunOutput } from "./runThread.js";
import { terminalWidth, wrapText } from "./terminal.js";

/** Columns of help that is not printed to a terminal, as in the rest of it. */
const USUAL_WIDTH = 80;

/** Options of every command that runs a graph. */
export interface RunOptions extends RunOutput {
  library?: string;
  model?: string;
  embeddings?: string;
  topK?: number;
  threshold?: number;
  maxCalls?: number;
  budget?: string;
  set?: Record<string, unknown>;
}

/** Adds the options that become settings of the run, and those that say what is printed. */
export function addRunOptions(command: Command): Command {
  command
    .option("--library <name>", "tool library, or a file with exported functions")
    .option("--model <provider:name>", "chat model, such as openai:gpt-4.1-mini or ollama:qwen3")
    .option(
      "--embeddings <provider:name>",
      "embedding model, such as openai:text-embedding-3-small or transformers:./my-model",
    );
  addLimits(command, "--top-k <n>").option("--max-calls <n>", "model calls of the run", toNumber);
  return addSettings(command)
    .option("--json", "print one JSON object and nothing else")
    .option("--no-stream", "print the answer alone");
}

/** Adds the option for settings that have none of their own. */
export function addSettings(command: Command): Command {
  return command.option(
    "--set <setting=value>",
    "any other setting of the run; may be repeated",
    toSetting,
  );
}

/**
 * Adds the option that says what may be spent. It is decided when a run begins, so that a run which is
 * resumed does not take it.
 */
export function addBudget(command: Command): Command {
  return command.option("--budget <amount>", "what may be spent: 20 (units of calls) or '$0.05'");
}

/** Adds the options that say how much a search may find. */
export function addLimits(command: Command, topK: string): Command {
  return command
    .option(topK, "tools that one search phrase may find", toNumber)
    .option(
      "--threshold <x>",
      "squared L2 distance (0 to 4) at which a hit is a miss; 0 for none",
      toNumber,
    );
}

/**
 * The settings that were given, by the names that the graphs know. Where a file is given as the
 * library, its functions are imported first.
 */
export async function settingsOf(options: RunOptions): Promise<Record<string, unknown>> {
  const { model, embeddings, topK, threshold, maxCalls: maxModelCalls, budget, set } = options;
  const library =
    options.library && isFile(options.library)
      ? (await importFile({ file: options.library, embeddings })).library
      : options.library;
  const named: Partial<Context> = {
    library,
    model,
    embeddings,
    topK,
    threshold,
    maxModelCalls,
    budget,
  };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { ...set, ...Object.fromEntries(given) };
}

/** A library is given by its name, or by the file with its functions. */
function isFile(library: string): boolean {
  return /[/\\]|\.[cm]?[jt]sx?$/.test(library);
}

/** The settings that `--set` takes, for the end of a command's help. */
export function settingsHelp(): string {
  const settings = Object.entries(contextSchema.shape);
  const indent = 4 + Math.max(...settings.map(([name]) => name.length));
  const width = (terminalWidth() ?? USUAL_WIDTH) - indent;
  const lines = settings.flatMap(([name, { description: text = "" }]) =>
    wrapText({ text, width }).map((line, at) => `  ${at === 0 ? name : ""}`.padEnd(indent) + line),
  );
  return `\nSettings for --set, which takes texts and JSON:\n${lines.join("\n")}\n`;
}

/** Reads an option that is a number. */
export function toNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("not a number");
  return value;
}

/** The values of an option that may be repeated. */
export function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Reads an option that counts something, from 1. */
export function toCount(text: string): number {
  const value = toNumber(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("not a count from 1 up");
  return value;
}

/** Reads an option that is an amount of something. */
export function toAmount(text: string): number {
  const value = toNumber(text);
  if (value <= 0) throw new InvalidArgumentError("not an amount above 0");
  return value;
}

/** Reads an option that is a whole number. */
export function toWhole(text: string): number {
  const value = toNumber(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("not a whole number");
  return value;
}

/** Reads an option with several names. */
export function toList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("write it as a,b,c");
  return names;
}

/** `maxDepth=3` as a number, `model=a:b` as text: whatever is JSON counts as that. */
export function toSetting(
  text: string,
  settings: Record<string, unknown> = {},
): Record<string, unknown> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("write it as setting=value");
  return { ...settings, [text.slice(0, at)]: jsonOrText(text.slice(at + 1)) };
}

/** A value as JSON where it is that, else as the text that it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain words are the usual value of a setting.
    return text;
  }
}
