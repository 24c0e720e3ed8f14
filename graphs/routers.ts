import { AIMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { unjudgedCalls } from "../nodes/acting/judge.js";
import { readContext } from "../state/context.js";
import type { GraphState } from "../state/state.js";

/** On with one stage, whatever the state. */
export function to<Next extends string>(next: Next): () => Next {
  return () => next;
}

/** Asks again after an unusable reply, and searches else. */
export function routeAfterPhraseSearch({ repair }: GraphState): "phraseSearch" | "search" {
  return repair ? "phraseSearch" : "search";
}

/** Asks again after an unusable reply, and searches for the parts; one that has none is given up. */
export function routeAfterDecompose({
  repair,
  subtasks,
}: GraphState): "decompose" | "phraseSearch" | "recurse" {
  if (repair) return "decompose";
  return subtasks.some(({ status }) => status === "open") ? "phraseSearch" : "recurse";
}

/** A plan with faults is reflected on, so often as the run allows. */
export function mayReflect<Next extends string>(next: Next) {
  return function routeAfterCheckPlan(
    { plan }: GraphState,
    config: LangGraphRunnableConfig,
  ): Next | "reflect" {
    if (!plan || plan.issues.length === 0) return next;
    return plan.cues.length < readContext(config).maxReflections ? "reflect" : next;
  };
}

/** Takes misses down a level; otherwise `next` says where to go on. */
export function afterSearch<Next extends string>(next: (state: GraphState) => Next) {
  return function routeAfterSearch(state: GraphState): Next | "recurse" {
    return state.subtasks.some(({ status }) => status === "missed") ? "recurse" : next(state);
  };
}

/** Missed subtasks that are open again are put into other words; otherwise `next` says where to go on. */
export function afterReopening<Next extends string>(next: (state: GraphState) => Next) {
  return function routeAfterRecurse(state: GraphState): Next | "phraseSearch" {
    return state.subtasks.some(({ status }) => status === "open") ? "phraseSearch" : next(state);
  };
}

/** Asks again after an unusable reply; calls are executed, and a reply without any is the answer. */
export function routeAfterAct(state: GraphState): "act" | "execute" | "respond" {
  if (state.repair) return "act";
  return lastReply(state).tool_calls?.length ? "execute" : "respond";
}

/** The reply that a run has come to; an empty one where the conversation ends with something else. */
export function lastReply({ messages }: GraphState): AIMessage {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) ? last : new AIMessage("");
}

/** What came of calls is judged only where it is to be remembered; otherwise `next` says where to go on. */
export function afterExecute<Next extends string>(next: (state: GraphState) => Next) {
  return function routeAfterExecute(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Next | "judge" {
    return readContext(config).remember ? "judge" : next(state);
  };
}

/** `judge` looks at one call at a time; once it has seen all, `next` says where to go on. */
export function afterJudge<Next extends string>(next: (state: GraphState) => Next) {
  return function routeAfterJudge(state: GraphState): Next | "judge" {
    return unjudgedCalls(state).length > 0 ? "judge" : next(state);
  };
}
