import type { AgentGraph, Wiring } from "./agentGraph.js";
import * as base from "./base.js";
import * as cotTool from "./cot_tool.js";
import * as cotTulip from "./cot_tulip.js";
import * as informedCotTulip from "./informed_cot_tulip.js";
import * as minimalTulip from "./minimal_tulip.js";
import * as naiveTool from "./naive_tool.js";
import * as naiveTulip from "./naive_tulip.js";
import * as oneShotCotTulip from "./one_shot_cot_tulip.js";
import * as primedCotTulip from "./primed_cot_tulip.js";

/** A graph, and what to know about it. */
export interface GraphEntry {
  graph: AgentGraph;
  builder: Wiring;
  summary: string;
  /** Where the method was published. */
  source: string;
}

const TULIP = "Tulip Agent (Ocker et al., arXiv:2407.21778)";

const entries = {
  base: {
    ...base,
    summary: "One model call without tools",
    source: `${TULIP}: BaseAgent`,
  },
  naive_tool: {
    ...naiveTool,
    summary: "All tools of the library are shown to the model",
    source: `${TULIP}: NaiveToolAgent`,
  },
  cot_tool: {
    ...cotTool,
    summary: "Decompose, then act with all tools of the library",
    source: `${TULIP}: CotToolAgent`,
  },
  minimal_tulip: {
    ...minimalTulip,
    summary: "One search with the request itself, then act",
    source: `${TULIP}: MinimalTulipAgent`,
  },
  naive_tulip: {
    ...naiveTulip,
    summary: "The model phrases searches for the request, then acts",
    source: `${TULIP}: NaiveTulipAgent`,
  },
  cot_tulip: {
    ...cotTulip,
    summary: "Decompose, search for each subtask, recurse on misses, act",
    source: `${TULIP}: CotTulipAgent`,
  },
  informed_cot_tulip: {
    ...informedCotTulip,
    summary: "As cot_tulip; decomposition knows what the library is about",
    source: `${TULIP}: InformedCotTulipAgent`,
  },
  primed_cot_tulip: {
    ...primedCotTulip,
    summary: "As cot_tulip; decomposition knows names of tools near the request",
    source: `${TULIP}: PrimedCotTulipAgent`,
  },
  one_shot_cot_tulip: {
    ...oneShotCotTulip,
    summary: "As cot_tulip; decomposition is shown one worked example",
    source: `${TULIP}: OneShotCotTulipAgent`,
  },
} satisfies Record<string, GraphEntry>;

export type GraphId = keyof typeof entries;

/** Every graph by its id. */
export const graphs: Record<GraphId, GraphEntry> = entries;

/** The graph that `solve` runs when none is named. */
export const DEFAULT_GRAPH: GraphId = "cot_tulip";
