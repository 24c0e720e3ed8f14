import type { ToolRecord } from "../tool.js";
import type { RuntimeParts, ToolLookup } from "./callScope.js";
import { type CallOutcome, outcomeOf } from "./callOutcome.js";
import { runCall } from "./runCall.js";
import { isHarmless, trialScope } from "./trialScope.js";
import type { LazyWorld, WorldDefinition } from "./worlds.js";

/** How the calls of a trial are run. */
export interface TrialSettings {
  /** The run whose worlds the trial begins with; one that there never was begins with new worlds. */
  threadId: string;
  /** Time-out of tools that have none of their own, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Where the tools are found that tools call; without it, none can be called. */
  library?: ToolLookup;
}

/** Calls that build on each other, and of which nothing is left: no journal, no change of a world. */
export interface TrialRun {
  /** Whether a call of the tool gives a result and has no effect beyond worlds that are copied. */
  canRun(record: ToolRecord): boolean;
  /** Makes a call on the worlds as the calls before have left them; only of a tool that can run. */
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
  definitions: readonly (WorldDefinition | LazyWorld)[];
  settings: TrialSettings;
  within: <T>(body: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  maxResultChars: number;
}): TrialRun {
  const { parts, definitions, settings, within, maxResultChars } = options;
  const scope = trialScope({ parts, definitions, settings, onBreach: ignoreBreach });
  return {
    canRun: (record) => givesResult(record) && isHarmless(record, parts),
    call: async ({ id, tool: record, args }) =>
      await within(async (signal) => {
        const place = { depth: 0, worldsAbove: [], since: Date.now(), signal };
        const settlement = await runCall(scope, { id, record, args, ...place });
        return outcomeOf({ call: { id, tool: record.id, args }, settlement, maxResultChars });
      }),
  };
}

function givesResult({ source }: ToolRecord): boolean {
  return source.kind !== "declared" || source.world !== undefined;
}

/** A call that is refused fails, which says enough here, where no failure counts as a success. */
function ignoreBreach(): void {}
