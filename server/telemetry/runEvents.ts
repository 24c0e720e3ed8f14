/**
 * What happens while a run is worked on, for whoever counts it: a stage, a question to a model and a call of a tool
 * each once they have ended.
 */
export type RunEvent =
  | { kind: "stage"; stage: string; seconds: number }
  | {
      kind: "model";
      /** "provider:name" */
      model: string;
      failed: boolean;
      seconds: number;
      inputTokens: number;
      outputTokens: number;
    }
  | {
      kind: "tool";
      /** As of tools/runtime/callOutcome.ts. */
      status: string;
      seconds: number;
    };
