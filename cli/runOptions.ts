import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "../state/context.js";
import type { RunOutput } from "./runThread.js";

/** Options of every command that runs a graph. */
export interface RunOptions extends RunOutput {
  library?: string;
  model?: string;
  embeddings?: string;
  topK?: number;
  threshold?: number;
  maxCalls?: number;
  set?: Record<string, unknown>;
}

/** Adds the options that become settings of the run, and those that say what is printed. */
export function addRunOptions(command: Command): Command {
  return command
    .option("--library <name>", "tool library, or a file with exported functions")
    .option("--model <provider:name>", "chat model")
    .option("--embeddings <provider:name>", "embedding model")
    .option("--top-k <n>", "tools that one search phrase may find", toNumber)
    .option("--threshold <x>", "squared L2 distance at which a hit is a miss; 0 for none", toNumber)
    .option("--max-calls <n>", "model calls of the run", toNumber)
    .option("--set <setting=value>", "any other setting of the run; may be repeated", toSetting, {})
    .option("--json", "print one JSON object and nothing else")
    .option("--no-stream", "print the answer alone");
}

/** The settings that were given, by the names that the graphs know. */
export function settingsOf(options: RunOptions): Record<string, unknown> {
  const { library, model, embeddings, topK, threshold, maxCalls: maxModelCalls, set } = options;
  const named: Partial<Context> = { library, model, embeddings, topK, threshold, maxModelCalls };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { ...set, ...Object.fromEntries(given) };
}

/** Reads an option that is a number. */
export function toNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("not a number");
  return value;
}

/** `maxDepth=3` as a number, `model=a:b` as text: whatever is JSON counts as that. */
function toSetting(text: string, settings: Record<string, unknown>): Record<string, unknown> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("write it as setting=value");
  return { ...settings, [text.slice(0, at)]: jsonOrText(text.slice(at + 1)) };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain words are the usual value of a setting.
    return text;
  }
}
