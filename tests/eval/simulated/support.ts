import { POLICY_TRAITS, type PolicyTraits } from "../../../eval/simulated/policyParameters.js";
import type { PolicySettings } from "../../../eval/simulated/provider.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { Observation, OfferedTool } from "../../../nodes/kit/stageInputs.js";

export const REQUEST =
  "My parcel PK-10423 comes from abroad. Please tell me the import duty and the day of arrival.";

/** A tool that looks something up by its reference. */
export function tool(name: string, serves: string): OfferedTool {
  return {
    name,
    description: `Looks up ${serves} for a parcel by its reference.`,
    parameters: {
      type: "object",
      properties: { reference: { type: "string" } },
      required: ["reference"],
    },
  };
}

export const TOOLS = [
  tool("fee_a", "customs fee (import duty)"),
  tool("fee_b", "customs fee (import duty)"),
  tool("date_a", "delivery date (day of arrival)"),
  tool("date_b", "delivery date (day of arrival)"),
  tool("weight", "shipping weight (mass)"),
];

/** What `act` knows at the start of a search over steps, unless a test says otherwise. */
export function acting(changes: Partial<ActInput> = {}): ActInput {
  return {
    request: REQUEST,
    steps: [],
    missed: [],
    tools: TOOLS,
    observations: [],
    earlierTurns: [],
    search: { attempts: [] },
    ...changes,
  };
}

const args = { reference: "PK-10423" };

/** A call that returned a fact. */
export function told(name: string, label: string, code: string): Observation {
  return { tool: name, args, result: `${label} of parcel PK-10423: ${code}` };
}

/** A call that returned fluent words without a fact. */
export function empty(name: string, label: string): Observation {
  return { tool: name, args, result: `${label} of parcel PK-10423: see the general terms` };
}

/** A call that failed. */
export function failed(name: string): Observation {
  return { tool: name, args, error: "ServiceUnavailable: could not be reached" };
}

/** Never errs, unless a test says how. */
export function settings(traits: Partial<PolicyTraits> = {}, seed = 1): PolicySettings {
  return { seed, traits: { ...FLAWLESS, ...traits } };
}

const FLAWLESS: PolicyTraits = {
  ...POLICY_TRAITS,
  callsWrongTool: 0,
  repeatsCall: 0,
  finishesEarly: 0,
  believesEmptyText: 0,
  heedsPrices: 1,
  heedsWithheld: 1,
  thinksAloud: 0,
  votesRight: 1,
  judgesRight: 1,
};

/** Share of seeds for which something holds. */
export function shareOfSeeds(count: number, isSo: (seed: number) => boolean): number {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  return seeds.filter(isSo).length / count;
}
