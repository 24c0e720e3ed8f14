import type { ToolDefinition } from "../tool.js";

/** The origin of tools that models have written: no file stands behind them. */
export const GENERATED_ORIGIN = "generated";

/** Who made a version (`EditNote.by`) where no model did. */
export const PERSON = "person";

/** Who made a version of a generated tool, and why; kept with the version for ever. */
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

/** A new version of one generated tool. */
export interface ToolEdit {
  tool: ToolDefinition;
  /** The version that the editor has read; null for a tool that shall not exist yet. */
  basedOn: number | null;
  note: EditNote;
}
