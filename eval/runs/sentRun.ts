import { ModelFailed, messageOf } from "../../common/errors.js";
import type { GraphState } from "../../state/state.js";
import { AttemptLost, type RunRequest, type RunState } from "./runner.js";

/** A run as sent to another process, on this machine or another one. */
export type SentRequest = Omit<RunRequest, "signal" | "onUsage">;

/** What another process reports at the end of a run, as JSON. */
export type SentEnd =
  | { kind: "ended"; state: SentState }
  | { kind: "lost"; reason: string; threadId: string }
  | { kind: "broken"; reason: string };

/** The end of a run as JSON, without the conversation: records do not contain it. */
type SentState = Omit<RunState, "values" | "failure"> & {
  values: Partial<GraphState>;
  failure?: SentFailure;
};

type SentFailure = { message: string; model?: ModelFailed["details"] };

/** The request without what only the requesting process can use. */
export function sentRequest({
  signal: _signal,
  onUsage: _onUsage,
  ...sent
}: RunRequest): SentRequest {
  return sent;
}

/** Makes a run and describes how it ended, errors included. */
export async function endOf(run: () => Promise<RunState>): Promise<SentEnd> {
  try {
    return { kind: "ended", state: sentState(await run()) };
  } catch (error) {
    if (error instanceof AttemptLost) {
      const { reason, threadId } = error;
      return { kind: "lost", reason, threadId };
    }
    return { kind: "broken", reason: messageOf(error) };
  }
}

/**
 * What the runner of the other process returned.
 *
 * @throws AttemptLost, or whatever else was thrown there
 */
export function receivedEnd(end: SentEnd): RunState {
  if (end.kind === "lost") throw new AttemptLost(end.reason, end.threadId);
  if (end.kind === "broken") throw new Error(end.reason);
  const { failure, ...state } = end.state;
  if (failure === undefined) return state;
  const { message, model } = failure;
  return { ...state, failure: model ? new ModelFailed(model) : new Error(message) };
}

function sentState({ values, failure, ...state }: RunState): SentState {
  const { messages: _messages, tree: _tree, ...kept } = values;
  return {
    ...state,
    values: kept,
    ...(failure === undefined ? {} : { failure: sentFailure(failure) }),
  };
}

function sentFailure(failure: unknown): SentFailure {
  const message = failure instanceof Error ? failure.message : String(failure);
  return { message, ...(failure instanceof ModelFailed ? { model: failure.details } : {}) };
}

interface Order {
  request: RunRequest;
  settle: (state: RunState) => void;
  fail: (error: unknown) => void;
}

/** Runs that other processes are making, by the key of their answers. */
export class Orders<Key> {
  readonly #orders = new Map<Key, Order>();

  get size(): number {
    return this.#orders.size;
  }

  requestOf(key: Key): RunRequest | undefined {
    return this.#orders.get(key)?.request;
  }

  /** Waits for the end of a run, or for its signal. */
  wait(key: Key, request: RunRequest): Promise<RunState> {
    const { signal } = request;
    return new Promise((settle, fail) => {
      const abort = () => {
        this.#orders.delete(key);
        fail(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#orders.set(key, { request, settle, fail });
    });
  }

  /** Ends the wait with what `end` returns or throws; does nothing if nobody waits. */
  end(key: Key, end: () => RunState): void {
    const order = this.#orders.get(key);
    this.#orders.delete(key);
    try {
      order?.settle(end());
    } catch (error) {
      order?.fail(error);
    }
  }

  failAll(error: unknown): void {
    for (const { fail } of this.#orders.values()) fail(error);
    this.#orders.clear();
  }
}
