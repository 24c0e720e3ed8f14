import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf, isBack, tellGlobal, get } from "./api.js";
import type { WatchedRun } from "../routes/watchedRun.js";
import { isOpen } from "./Frame.js";

/** How soon a server that is away is asked again (ms). */
const RETRY_MS = 2000;

/** Something of the server's, kept up to date. */
export interface Live<Value> {
  /** Undefined until it is there. */
  value: Value | undefined;
  /** Why it cannot be had; the last value stays. */
  problem: string | undefined;
  reload: () => void;
}

interface Kept<Value> {
  key: string;
  value?: Value;
  problem?: string;
}

/**
 * Loads something, and again from time to time. A server that is away is asked until it is back; meanwhile the last
 * value stays. A value that has not changed keeps its identity, so that nothing is drawn anew.
 *
 * @param key says what is loaded: another key begins anew
 * @param everyMs how often it is loaded again, which may depend on the value; 0 for never
 */
export function useLive<Value>(
  key: string,
  load: () => Promise<Value>,
  everyMs: number | ((value: Value) => number) = 0,
): Live<Value> {
  const [state, setState] = useState<Kept<Value>>({ key });
  const latest = useRef({ load, everyMs });
  latest.current = { load, everyMs };
  const wake = useRef<() => void>(() => undefined);
  const reload = useCallback(() => wake.current(), []);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLoading = false;
    let isAskedAgain = false;
    const again = (ms: number) => {
      clearTimeout(timer);
      if (ms > 0 && !isLeft) timer = setTimeout(() => void step(), ms);
    };
    const step = async () => {
      if (isLoading) return void (isAskedAgain = true);
      isLoading = true;
      isAskedAgain = false;
      const { error, ...next } = await settled(latest.current.load());
      isLoading = false;
      // What is no longer shown may have been asked with another key.
      if (isLeft) return;
      if (tellGlobal(error)) return again(RETRY_MS);
      isBack();
      setState((before) => merged(before, { key, ...next }));
      const { everyMs: pause } = latest.current;
      const value = next.value;
      const usual = typeof pause === "number" ? pause : value === undefined ? 0 : pause(value);
      again(isAskedAgain ? 1 : usual);
    };
    wake.current = () => void step();
    void step();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [key]);
  const isOf = state.key === key;
  return {
    value: isOf ? state.value : undefined,
    problem: isOf ? state.problem : undefined,
    reload,
  };
}

/** What a path of the server answers, kept up to date. */
export function useFetched<Value>(path: string, everyMs?: number | ((value: Value) => number)) {
  return useLive(path, () => get<Value>(path), everyMs);
}

async function settled<Value>(loading: Promise<Value>) {
  try {
    return { value: await loading };
  } catch (error) {
    return { problem: messageOf(error), error };
  }
}

function merged<Value>(before: Kept<Value>, next: Kept<Value>): Kept<Value> {
  if (before.key !== next.key) return next;
  const { value = before.value, problem } = next;
  if (JSON.stringify(before.value) !== JSON.stringify(value)) return next;
  return before.problem === problem ? before : { ...before, problem };
}

/** How often a run at work is looked at, besides the events of its stream (ms). */
const WATCH_MS = 1000;

/** A request as it stands. @param run any of its runs @param changed it is looked at anew when this has changed */
export function useWatchedRun(run: string, changed = "") {
  const live = useFetched<WatchedRun>(`/console/runs/${encodeURIComponent(run)}`, (shown) =>
    isOpen(shown) ? WATCH_MS : 0,
  );
  const { reload } = live;
  useEffect(() => reload(), [changed, reload]);
  return live;
}
