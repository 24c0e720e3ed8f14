import type { ToolDefinition } from "../../tool.js";

/** The origin of tools that models have written; they have no file. */
export const GENERATED_ORIGIN = "generated";

/** The origin of saved plans. */
export const PLANS_ORIGIN = "saved plans";

/** The origin of tools as a recording has them. */
export const RECORDED_ORIGIN = "recorded";

const WITHOUT_FILE = [GENERATED_ORIGIN, PLANS_ORIGIN, RECORDED_ORIGIN];

/** The origin of a tool that has no file. */
export function originOf({ source }: Pick<ToolDefinition, "source">): string {
  return source.kind === "program" ? PLANS_ORIGIN : GENERATED_ORIGIN;
}

/** Whether the tools of an origin have no file to read them from again. */
export function isWithoutFile(origin: string | undefined): boolean {
  return origin !== undefined && WITHOUT_FILE.includes(origin);
}

/** Who made a version (`EditNote.by`) if it was not a model. */
export const PERSON = "person";

/** Who made a version of a made tool or a saved plan, and why; kept with the version forever. */
export interface EditNote {
  /** The model that wrote it ("openai:gpt-4.1-mini"), or `PERSON`. */
  by: string;
  /** The task, the instruction, or the reason, in words. */
  why: string;
  /** The run that wanted it and the call in it, which together identify this edit. */
  threadId?: string;
  callId?: string;
  /** What a person decided about it, if one was asked. */
  approval?: { decision: "approved" | "edited"; at: string };
  /** Example calls of the previous version that this one fails on purpose; as text. */
  breaks?: string[];
}

/** A new version of one made tool, or of a saved plan. */
export interface ToolEdit {
  tool: ToolDefinition;
  /** The version that the editor has read; null for a tool that must not exist yet. */
  basedOn: number | null;
  note: EditNote;
}
