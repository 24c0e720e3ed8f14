/** A tool that may get a share of the budget. */
export interface Candidate {
  /** Id of the tool. */
  tool: string;
  /** Expected usefulness of one call for this request, 0 to 1. */
  value: number;
  /** Most calls that are worth granting: the frequency bound. */
  bound: number;
  /** Units of the budget for one call. */
  price: number;
}

/** A candidate and the calls it is granted. */
export interface ToolAllowance extends Candidate {
  /** Calls granted, 0 to `bound`. */
  quota: number;
}

/** How a budget is divided among tools, in the order of the candidates. */
export interface Allowance {
  tools: ToolAllowance[];
  /** Sum of price × quota; at most the budget. */
  cost: number;
  /** Sum of value × quota. */
  value: number;
}
