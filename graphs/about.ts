import type { BudgetUse } from "../nodes/request/intake.js";

/** What is known about a graph. */
export interface About {
  summary: string;
  /** Where the method was published. */
  source: string;
  /** How the graph treats a budget. */
  budget: BudgetUse;
  /** Model calls of a request that one call of one tool solves. */
  modelCalls: number;
  /** Data collected beforehand, without which the graph cannot do what its name promises. */
  needs?: readonly GraphNeed[];
}

/** `demonstrations` of similar tasks · `experience`: past calls of tools · `retriever`: a trained one */
export type GraphNeed = "demonstrations" | "experience" | "retriever";

export const BTP = "BTP (Zheng et al., arXiv:2402.15960)";
export const IIT = '"AI Agent 007"';
export const TPTU = "TPTU-v2 (Kong et al., arXiv:2311.11315)";
export const TULIP = "Tulip Agent (Ocker et al., arXiv:2407.21778)";
