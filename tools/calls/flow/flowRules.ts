import { z } from "zod";
import { givenFields } from "../../../common/givenFields.js";

/** What happens to a call that such data would go into. */
const decision = z.enum(["allow", "ask", "refuse"]);
export type FlowDecision = z.infer<typeof decision>;

const targets = z.strictObject({ outward: decision.optional(), write: decision.optional() });

/** A file of rules; those left out have their defaults. */
export const flowRulesSchema = z.strictObject({
  private: targets.optional(),
  foreign: targets.optional(),
});

/** Data that rules cover, by the label of the tool it comes from. */
export type FlowFrom = "private" | "foreign";

/** Where it would go: into what a tool sends out or writes. */
export type FlowTo = "outward" | "write";

export type FlowRules = Record<FlowFrom, Record<FlowTo, FlowDecision>>;

/** Sending private data out and writing text from outside needs a person's consent. */
export const DEFAULT_FLOW_RULES: FlowRules = {
  private: { outward: "ask", write: "allow" },
  foreign: { outward: "allow", write: "ask" },
};

/** Rules with the defaults filled in. */
export function filledRules(given: z.infer<typeof flowRulesSchema>): FlowRules {
  return {
    private: { ...DEFAULT_FLOW_RULES.private, ...givenFields(given.private ?? {}) },
    foreign: { ...DEFAULT_FLOW_RULES.foreign, ...givenFields(given.foreign ?? {}) },
  };
}
