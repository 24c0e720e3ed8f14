import type { ToolDefinition } from "../tool.js";

/** The origin of tools that models have written: no file stands behind them. */
export const GENERATED_ORIGIN = "generated";

/** The origin of plans that were saved. */
export const PLANS_ORIGIN = "saved plans";

/** The origin of a tool that no file stands behind. */
export function originOf({ source }: Pick<ToolDefinition, "source">): string {
  return source.kind === "program" ? PLANS_ORIGIN : GENERATED_ORIGIN;
}

/** Whether the tools of an origin come from no file: `put` alone makes them, and restores them. */
export function isWithoutFile(origin: string | undefined): boolean {
  return origin === GENERATED_ORIGIN || origin === PLANS_ORIGIN;
}

/** Who made a version (`EditNote.by`) where no model did. */
export const PERSON = "person";

/** Who made a version of a generated tool or a saved plan, and why; kept with the version for ever. */
export interface EditNote {
  /** The model that wrote it ("openai:gpt-4.1-mini"), or `PERSON`. */
  by: string;
  /** The task, the instruction, or the reason, in words. */
  why: string;
  /** The run that wanted it, and the call in it: what names this very edit. */
  threadId?: string;
  callId?: string;
  /** What a person decided about it, where one was asked. */
  approval?: { decision: "approved" | "edited"; at: string };
  /** Example calls of the version before that this one no longer passes, on purpose; as text. */
  breaks?: string[];
}

/** A new version of one generated tool, or of a saved plan. */
export interface ToolEdit {
  tool: ToolDefinition;
  /** The version that the editor has read; null for a tool that shall not exist yet. */
  basedOn: number | null;
  note: EditNote;
}
