import type { Observation } from "../../../nodes/shared/stageInputs.js";
import { splitRequest } from "../../../models/offline/clauses.js";
import { callsOf } from "./callsOf.js";
import { type TestTool, shown } from "./libraries.js";

/** What came of a request that the planner alone followed to its end. */
export interface Solved {
  steps: string[];
  observations: Observation[];
  message: string;
  solved: boolean;
  /** Times that the planner was asked what to do next. */
  acts: number;
}

/** More acts than any request of the tests may take. */
const MOST_ACTS = 30;

/** Follows a request with the planner and the functions of a test library. */
export async function solve(options: {
  request: string;
  tools: readonly TestTool[];
  /** Steps to follow; those of the planner itself when absent. */
  steps?: string[];
}): Promise<Solved> {
  const { request, tools } = options;
  const steps = options.steps ?? (await splitRequest(request));
  const observations: Observation[] = [];
  const offered = tools.map(shown);
  for (let acts = 1; acts <= MOST_ACTS; acts += 1) {
    const input = {
      request,
      steps,
      missed: [],
      tools: offered,
      observations: [...observations],
      earlierTurns: [],
    };
    const calls = await callsOf(input);
    const [first] = calls;
    if (first?.name === "stop") {
      return {
        steps,
        observations,
        acts,
        message: String(first.args["message"]),
        solved: first.args["solved"] === true,
      };
    }
    for (const { name, args } of calls) observations.push(observe({ name, args, tools }));
  }
  throw new Error(`the planner did not end within ${MOST_ACTS} acts: ${request}`);
}

function observe(call: {
  name: string;
  args: Record<string, unknown>;
  tools: readonly TestTool[];
}): Observation {
  const { name, args, tools } = call;
  const tool = tools.find((one) => one.name === name);
  if (!tool) return { tool: name, args, error: "there is no such tool" };
  try {
    return { tool: name, args, result: tool.run(args) };
  } catch (error) {
    return { tool: name, args, error: error instanceof Error ? error.message : String(error) };
  }
}
