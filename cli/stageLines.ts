import { AIMessage } from "@langchain/core/messages";
import { oneLine } from "../errors.js";
import type { Call, Search, StateUpdate, Subtask } from "../state/state.js";
import { bold, dim, shorten } from "./terminal.js";

/** How much of the growing lists has been shown. */
export interface Printed {
  searches: number;
  calls: number;
}

/** Most hits of a search that are shown. */
const HITS_SHOWN = 4;

/** Most characters of a value that are shown in a line. */
const VALUE_LENGTH = 100;

/** What a stage did, in lines for a person; none for a stage that has nothing to say. */
export function stageLines(options: {
  node: string;
  change: StateUpdate;
  printed: Printed;
}): string[] {
  const { node, change, printed } = options;
  if (change.repair) return [`unusable reply, asking again: ${oneLine(change.repair.problem)}`];
  if (node !== "respond" && isEnd(change)) return [oneLine(change.answer ?? "")];
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
      return [change.focus ? `splitting subtask ${change.focus}` : "going on"];
    case "act":
      return [actLine(change)];
    case "execute":
      return (change.calls ?? []).slice(printed.calls).map(callLine);
    default:
      return [];
  }
}

/** A call as a person would write it. */
export function callText({ tool, args }: Pick<Call, "tool" | "args">): string {
  const shown = Object.entries(args).map(([name, value]) => `${name}=${valueText(value)}`);
  return `${bold(tool)}(${shown.join(", ")})`;
}

/** The stage has ended the run without an answer to the request. */
function isEnd({ status }: StateUpdate): boolean {
  return status !== undefined && status !== "running" && status !== "solved";
}

function actLine({ messages, status }: StateUpdate): string {
  if (status === "solved") return "answers";
  const replies = Array.isArray(messages) ? messages : [messages];
  const calls = replies.flatMap((reply) =>
    AIMessage.isInstance(reply) ? (reply.tool_calls ?? []) : [],
  );
  return `calls ${calls.map(({ name }) => name).join(", ")}`;
}

function counted(count = 0, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function subtaskLine({ id, text, status, reason }: Subtask): string {
  return `${id}. ${oneLine(text)}${status === "open" ? "" : ` (${reason ?? status})`}`;
}

function searchLine({ phrase, hits }: Search): string {
  const quoted = `“${oneLine(phrase)}”`;
  if (hits.length === 0) return `${quoted} → nothing`;
  const shown = hits
    .slice(0, HITS_SHOWN)
    .map(({ tool, distance }) => `${tool} ${distance.toFixed(2)}`);
  const more = hits.length > HITS_SHOWN ? `, and ${hits.length - HITS_SHOWN} more` : "";
  return `${quoted} → ${shown.join(", ")}${more}`;
}

function callLine({ tool, args, result, resultRef, error, ms }: Call): string {
  const value = resultRef === undefined ? valueText(result) : "a long result";
  const outcome = error === undefined ? `= ${value}` : `failed: ${oneLine(error)}`;
  return `${callText({ tool, args })} ${outcome} ${dim(`${Math.round(ms)} ms`)}`;
}

function valueText(value: unknown): string {
  return shorten({ text: JSON.stringify(value) ?? "nothing", width: VALUE_LENGTH });
}
