import { styleText } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import { OFFLINE_MODEL, type Context } from "../state/context.js";
import type { Call, GraphState, Search, StateUpdate, Status, Subtask } from "../state/state.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { ThreadRun } from "./runThread.js";

/** Most hits of a search that are shown. */
const HITS_SHOWN = 4;

/** Most characters of a value that are shown in a line. */
const VALUE_LENGTH = 100;

const LABEL_WIDTH = 14;

/** Says what runs, on what, and with which model. */
export function printHeader(options: {
  run: ThreadRun;
  context: Context;
  library: ToolLibrary;
}): void {
  const { run, context, library } = options;
  const model =
    context.model === OFFLINE_MODEL
      ? `${context.model} (built-in rules, not a language model)`
      : context.model;
  print(dim(`${run.graph} · library ${library.name}, ${library.size} tools · model ${model}`));
}

/**
 * Prints what each stage did, from its update of the state. Updates carry whole lists, so it keeps
 * count of what was printed.
 *
 * @param state what the thread had before, where a run is resumed
 */
export function stagePrinter(state?: GraphState) {
  const printed = { searches: state?.searches.length ?? 0, calls: state?.calls.length ?? 0 };
  return function printStage(update: Record<string, StateUpdate | undefined>): void {
    for (const [node, change] of Object.entries(update)) {
      const lines = change ? stageLines({ node, change, printed }) : [];
      printed.searches = lengthOf(change?.searches) ?? printed.searches;
      printed.calls = lengthOf(change?.calls) ?? printed.calls;
      for (const [index, line] of lines.entries()) {
        const label = (index === 0 ? node : "").padEnd(LABEL_WIDTH);
        print(`${styled("cyan", label)}${line}`);
      }
    }
  };
}

/** Prints the answer and, when stages were streamed, what the run has used. */
export function printSummary(options: {
  run: ThreadRun;
  state: GraphState;
  status: Status | "cancelled";
  streaming: boolean;
}): void {
  const { run, state, status, streaming } = options;
  if (status === "cancelled") {
    process.stderr.write(`cancelled; continue with: tulipgraph resume ${run.threadId}\n`);
    return;
  }
  if (streaming) print("");
  print(status === "solved" ? bold(state.answer) : `${status}: ${state.answer}`);
  if (!streaming) return;
  const { modelCalls, inputTokens, outputTokens, estimated, ms } = state.usage;
  const tokens = `${inputTokens} tokens in, ${outputTokens} out${estimated ? " (estimated)" : ""}`;
  const seconds = (ms / 1000).toFixed(1);
  print(dim(`${modelCalls} model calls · ${tokens} · ${seconds} s · thread ${run.threadId}`));
}

function stageLines(options: {
  node: string;
  change: StateUpdate;
  printed: { searches: number; calls: number };
}): string[] {
  const { node, change, printed } = options;
  if (change.repair) return [`unusable reply, asking again: ${change.repair.problem}`];
  switch (node) {
    case "decompose":
      return (change.subtasks ?? []).map(subtaskLine);
    case "phraseSearch":
      return [counted(change.queue?.length, "search phrase")];
    case "searchPriming":
      return [counted(change.hints?.length, "tool name")];
    case "search":
      return change.searches
        ? change.searches.slice(printed.searches).map(searchLine)
        : [`${counted(change.toolIds?.length, "tool")}: all of the library`];
    case "recurse":
      return [change.focus ? `splitting subtask ${change.focus}` : (change.answer ?? "going on")];
    case "act":
      return [actLine(change)];
    case "execute":
      return (change.calls ?? []).slice(printed.calls).map(callLine);
    default:
      return [];
  }
}

function actLine({ messages, answer }: StateUpdate): string {
  const [reply] = Array.isArray(messages) ? messages : [];
  const calls = AIMessage.isInstance(reply) ? (reply.tool_calls ?? []) : [];
  return answer ? "answers" : `calls ${calls.map(({ name }) => name).join(", ")}`;
}

function counted(count = 0, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function subtaskLine({ id, text, status, reason }: Subtask): string {
  return `${id}. ${text}${status === "open" ? "" : ` (${reason ?? status})`}`;
}

function searchLine({ phrase, hits }: Search): string {
  if (hits.length === 0) return `${quoted(phrase)} → nothing`;
  const shown = hits
    .slice(0, HITS_SHOWN)
    .map(({ tool, distance }) => `${tool} ${distance.toFixed(2)}`);
  const more = hits.length > HITS_SHOWN ? `, and ${hits.length - HITS_SHOWN} more` : "";
  return `${quoted(phrase)} → ${shown.join(", ")}${more}`;
}

function callLine({ tool, args, result, error, ms }: Call): string {
  const shown = Object.entries(args).map(
    ([name, value]) => `${name}=${short(JSON.stringify(value))}`,
  );
  const outcome = error === undefined ? ` = ${short(JSON.stringify(result))}` : ` failed: ${error}`;
  return `${bold(tool)}(${shown.join(", ")})${outcome} ${dim(`${Math.round(ms)} ms`)}`;
}

function short(text: string | undefined): string {
  const whole = text ?? "nothing";
  return whole.length > VALUE_LENGTH ? `${whole.slice(0, VALUE_LENGTH)}…` : whole;
}

function quoted(text: string): string {
  return `“${text}”`;
}

function bold(text: string): string {
  return styled("bold", text);
}

function dim(text: string): string {
  return styled("dim", text);
}

function styled(style: "bold" | "dim" | "cyan", text: string): string {
  return process.stdout.isTTY && !process.env["NO_COLOR"] ? styleText(style, text) : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
