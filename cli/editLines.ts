import { ToolMessage } from "@langchain/core/messages";
import { oneLine } from "../common/errors.js";
import type { Edit, EditRecord } from "../state/state.js";
import type { StageChange } from "./searchLines.js";

const WISHES = { create: "a new tool", update: "a change of", delete: "the deletion of" };

/** What is wanted of the tool library, and which tools are like it. */
export function wishLines({ change: { edit, messages } }: StageChange): string[] {
  if (!edit) return answerLines(messages);
  const { kind, tool, task, similar } = edit;
  const wish = [WISHES[kind], tool].filter(Boolean).join(" ");
  const lines = [task ? `${wish}: ${oneLine(task)}` : wish];
  return similar.length > 0 ? [...lines, `like it are ${similar.join(", ")}`] : lines;
}

/** How often a tool was written by now. */
export function draftLines({ before }: StageChange): string[] {
  const failures = before.edit?.failures ?? 0;
  return [failures > 0 ? `mends its draft, the ${ordinal(failures + 1)} one` : "writes the tool"];
}

/** What came of a draft or of a change. */
export function editLines({ change, before }: StageChange): string[] {
  if (change.edit) return faultLines(change.edit);
  const made = (change.edits ?? []).slice(before.edits?.length);
  return made.flatMap(recordLines);
}

function faultLines({ problem }: Edit): string[] {
  return ["the draft cannot be used:", ...problem.split("\n")];
}

const DONE = { create: "created", update: "changed", delete: "deleted" };

function recordLines({ kind, tool, outcome, version, reason }: EditRecord): string[] {
  const why = reason ? oneLine(reason) : "";
  switch (outcome) {
    case "done": {
      const which = version === undefined || kind === "create" ? "" : `, version ${version}`;
      return [`${DONE[kind]} ${tool}${which}`, ...(why ? [why] : [])];
    }
    case "reused":
      return [`uses ${tool}, which does this already`];
    default:
      return [`not ${DONE[kind]}: ${why}`];
  }
}

/** Answers to calls of control tools, in a line each. */
export function answerLines(messages: StageChange["change"]["messages"]): string[] {
  const list = Array.isArray(messages) ? messages : [messages];
  return list.flatMap((message) =>
    ToolMessage.isInstance(message) ? message.text.split("\n") : [],
  );
}

function ordinal(count: number): string {
  return ["first", "second", "third", "fourth", "fifth"][count - 1] ?? `${count}th`;
}
