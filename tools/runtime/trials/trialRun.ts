import type { ToolRecord } from "../../tool.js";
import type { RuntimeParts, ToolLookup } from "../calls/callScope.js";
import { type CallOutcome, outcomeOf } from "../calls/callOutcome.js";
import { runCall } from "../calls/runCall.js";
import { isHarmless, trialScope } from "./trialScope.js";

/** How the calls of a trial are run. */
export interface TrialSettings {
  /** The run whose worlds the trial starts from; an unknown run has new worlds. */
  threadId: string;
  /** Time-out of tools without their own, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Where tools find the tools they call; if absent, they cannot call any. */
  library?: ToolLookup;
}

/** Calls that build on each other and leave no trace in the journal or in worlds. */
export interface TrialRun {
  /** Whether the tool gives a result and affects nothing but the copied worlds. */
  canRun(record: ToolRecord): boolean;
  /** Makes a call on the worlds as the previous calls left them; only for tools that can run. */
  call(request: {
    id: string;
    tool: ToolRecord;
    args: Record<string, unknown>;
  }): Promise<CallOutcome>;
}

/**
 * Opens a trial, whose worlds are copies in memory.
 *
 * @param options.within runs a call so that it ends with the runtime
 */
export function openTrial(options: {
  parts: RuntimeParts;
  settings: TrialSettings;
  within: <T>(body: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  maxResultChars: number;
}): TrialRun {
  const { parts, settings, within, maxResultChars } = options;
  const scope = trialScope({ parts, settings, onBreach: ignoreBreach });
  return {
    canRun: (record) => givesResult(record) && isHarmless(record, parts),
    call: async ({ id, tool: record, args }) =>
      await within(async (signal) => {
        const call = { id, record, args, depth: 0, worldsAbove: [], since: Date.now(), signal };
        const settlement = await runCall(scope, call);
        return outcomeOf({ call: { id, tool: record.id, args }, settlement, maxResultChars });
      }),
  };
}

function givesResult({ source }: ToolRecord): boolean {
  return source.kind !== "declared" || source.world !== undefined;
}

/** Nothing to do: a refused call fails, and here no failure counts as success. */
function ignoreBreach(): void {}
