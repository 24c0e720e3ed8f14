import type { DraftProblem } from "../../../tools/generated/draft.js";

/** What a draft has wrong on purpose: for its reader, or for whoever tries it out. */
export type DraftFault = DraftProblem["kind"] | "failed example" | "limit";

/** A reply of the writer to the wish for a tool. */
export interface WriterDraft {
  /** The whole reply, with whatever it wraps the code in. */
  reply: string;
  /** Absent for a draft that passes all checks. */
  fault?: DraftFault;
}

/** What the writer does with one request. */
export interface WriterScript {
  /** A part of the request by which the writer knows it. */
  about: string;
  /** The control call that it begins with. */
  wish: { kind: "create"; task: string } | { kind: "update"; tool: string; instruction: string };
  /** What it looks for in the library before; nothing where it is absent. */
  searches?: readonly string[];
  /** One after the other, as long as the one before could not be used; the last one again and again. */
  drafts: readonly WriterDraft[];
  /** What the last draft does wrong although it passes its own examples. */
  flaw?: string;
}

/** Code in a fenced block between two sentences, as most models reply. */
export function fenced(code: string): string {
  return `Here is the tool:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nIt passes its examples.`;
}
