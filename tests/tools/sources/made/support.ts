import type { DraftProblem } from "../../../../tools/sources/made/draft.js";
import type { GeneratedTool, ToolRecord } from "../../../../tools/tool.js";
import { type DraftRequest, readDraft } from "../../../../tools/sources/made/readDraft.js";

/** A draft without faults; its function is in line 8. */
export const SQUARE_ROOT = `/**
 * Square root of a number.
 * @param value The number; not negative.
 * @returns its square root
 * @example square_root(16) => 4
 * @example square_root(-1) => throws
 */
export function square_root(value: number): number {
  if (value < 0) throw new RangeError("the number is negative");
  return Math.sqrt(value);
}`;

/** A tool of a library that a draft may call. */
export function record(id: string, more: Partial<ToolRecord> = {}): ToolRecord {
  return {
    id,
    name: id,
    description: `Does ${id}.`,
    parameters: {
      type: "object",
      properties: { place: { type: "string" }, count: { type: "integer" } },
      required: ["place"],
      additionalProperties: false,
    },
    returns: { type: "number" },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
    version: 1,
    hash: id,
    ...more,
  };
}

/** The reading of a reply; `reserved` has the name of a control tool. */
export function read(reply: string, more: Partial<DraftRequest> = {}) {
  return readDraft({ reply, tools: [], reserved: ["stop"], ...more });
}

/** The tool of a reply; fails with its problems, if any. */
export function toolOf(reply: string, more: Partial<DraftRequest> = {}): GeneratedTool {
  const reading = read(reply, more);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.tool;
}

/** The problems of a reply; none for a tool. */
export function problemsOf(reply: string, more: Partial<DraftRequest> = {}): DraftProblem[] {
  const reading = read(reply, more);
  return reading.ok ? [] : reading.problems;
}

/** The faultless draft with one part replaced; its function begins in line 8, its body in line 9. */
export function but(part: string, by: string): string {
  if (!SQUARE_ROOT.includes(part)) throw new Error(`the draft has no ${part}`);
  return SQUARE_ROOT.replace(part, () => by);
}

/** The same with another body. */
export function body(text: string): string {
  return SQUARE_ROOT.replace(/\{\n[\s\S]*$/, () => `{\n  ${text}\n}`);
}

/** The same with other examples from line 5 on. */
export function examples(...lines: string[]): string {
  return SQUARE_ROOT.replace(/ \* @example[\s\S]*(?= \*\/)/, () =>
    lines.map((line) => ` * ${line}\n`).join(""),
  );
}
