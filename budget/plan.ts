/**
 * A tool that a plan may use. Values are expected usefulness of one call for this request, 0 to 1;
 * prices are units of the budget for one call.
 */
export interface Candidate {
  /** Id of the tool. */
  tool: string;
  value: number;
  /** Most calls that are worth planning: the frequency bound. */
  bound: number;
  price: number;
}

/** A candidate with what the plan grants it. */
export interface PlannedTool extends Candidate {
  /** Calls that the plan grants, 0 to `bound`. */
  quota: number;
}

/** How a budget is divided among tools; the tools are in the order of the candidates. */
export interface Plan {
  tools: PlannedTool[];
  /** Sum of price × quota; at most the budget. */
  cost: number;
  /** Sum of value × quota. */
  value: number;
}
