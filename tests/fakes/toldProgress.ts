import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { onTestFinished } from "vitest";
import { LONG_WORK, type LongWork } from "../../common/longWork.js";

/** Collects what long work tells until the test ends: each message as it was when it came. */
export function toldProgress(): LongWork[] {
  const told: LongWork[] = [];
  const listener = (message: unknown) => told.push({ ...(message as LongWork) });
  subscribe(LONG_WORK, listener);
  onTestFinished(() => void unsubscribe(LONG_WORK, listener));
  return told;
}
