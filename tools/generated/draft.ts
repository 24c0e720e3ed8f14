import type { ExampleCheck, ToolDefinition } from "../tool.js";

/** A `generated` tool, as `ToolDefinition.source` has it. */
export type GeneratedTool = ToolDefinition & { source: { kind: "generated" } };

/** What is wrong with a draft, for the model that wrote it and for a person. */
export interface DraftProblem {
  /**
   * Which check it did not pass: no code in the reply · the rules for such code (imports, several
   * functions …) · syntax · types · its TSDoc · its name · its examples.
   */
  kind: "no code" | "rules" | "syntax" | "types" | "docs" | "name" | "examples";
  /** One line. */
  problem: string;
  /** Place in `code`, from 1; absent where the problem has none. */
  line?: number;
  column?: number;
}

/** What has come of reading a model's reply: a tool that may be tried, or what is wrong with it. */
export type DraftReading =
  | {
      ok: true;
      tool: GeneratedTool;
      /**
       * Checks of the version before that this one gives up: it states another result for them, or its
       * parameters do not take their arguments any more.
       */
      restated: ExampleCheck[];
    }
  | {
      ok: false;
      /** What was taken for the code; empty when there is none. */
      code: string;
      problems: DraftProblem[];
    };

/** How one check has come out. */
export interface CheckOutcome {
  check: ExampleCheck;
  passed: boolean;
  /** The result or the error, as JSON data or in words. */
  got: { kind: "value"; value: unknown } | { kind: "throws"; error: string };
}

/** Problems in lines, for a model and for a person. */
export function draftText(problems: readonly DraftProblem[]): string {
  return problems
    .map(({ problem, line, column }) => {
      const at = column === undefined ? "" : `, column ${column}`;
      return line === undefined ? problem : `line ${line}${at}: ${problem}`;
    })
    .join("\n");
}
