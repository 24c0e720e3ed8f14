import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Stage, askingStage, stage } from "../nodes/shared/stage.js";

type Node<S, U> = (state: S, config: LangGraphRunnableConfig) => U | Promise<U>;

/** A node that asks a model, until it says so of itself. */
export function asks<S, U>(run: Node<S, U>): Stage<S, U> {
  return askingStage({}, run);
}

/** A node that can end the run, until it says so of itself. */
export function ends<S, U>(run: Node<S, U>): Stage<S, U> {
  return stage({ ends: true }, run);
}

/** A node that asks again and ends no run, until it says so of itself. */
export function repairs<S, U>(run: Node<S, U>): Stage<S, U> {
  return stage({ repairs: true }, run);
}

/** A node that does neither, until it is a factory. */
export function plain<S, U>(run: Node<S, U>): Stage<S, U> {
  return stage({}, run);
}
