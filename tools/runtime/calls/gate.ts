/** Limits how many run at once, first come first served. */
interface Gate {
  /**
   * Waits for a slot, runs the body and frees the slot.
   * @throws the signal's reason if aborted while waiting; the body does not run then
   */
  enter<T>(request: { signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
}

function createGate(slots: number): Gate {
  let free = slots;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async enter({ signal, body }) {
      if (free > 0) free--;
      else await slot(waiting, signal);
      try {
        return await body();
      } finally {
        leave();
      }
    },
  };
}

/** Gates by name; a gate exists only while it is in use. */
export interface Gates {
  enter<T>(request: { key: string; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
}

/** @param slots how many bodies run at once under one key */
export function createGates(slots: number): Gates {
  const gates = new Map<string, { gate: Gate; users: number }>();
  return {
    async enter({ key, ...request }) {
      const named = gates.get(key) ?? { gate: createGate(slots), users: 0 };
      gates.set(key, named);
      named.users++;
      try {
        return await named.gate.enter(request);
      } finally {
        named.users--;
        if (named.users === 0) gates.delete(key);
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
