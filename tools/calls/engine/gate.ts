/** Gates by name; a gate exists only while it is in use. */
export interface Gates {
  /**
   * Waits for a free slot and runs the body in it.
   *
   * @throws the signal's reason if aborted while waiting; the body does not run then
   */
  enter<T>(request: { key: string; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
}

/** @param slots how many bodies run at once under one key, first come first served */
export function createGates(slots: number): Gates {
  const gates = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async enter({ key, signal, body }) {
      const gate = gates.get(key) ?? { running: 0, waiting: [] };
      gates.set(key, gate);
      if (gate.running < slots) gate.running++;
      else await slot(gate.waiting, signal);
      try {
        return await body();
      } finally {
        const next = gate.waiting.shift();
        if (next) next();
        else if (--gate.running === 0) gates.delete(key);
      }
    },
  };
}

function slot(waiting: (() => void)[], signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      const index = waiting.indexOf(enter);
      if (index >= 0) waiting.splice(index, 1);
      reject(signal.reason);
    };
    if (signal.aborted) return giveUp();
    waiting.push(enter);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
