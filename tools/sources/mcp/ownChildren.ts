const pids = new Set<() => number | null>();
let isWatching = false;

/**
 * Ends a started program with this process, should it end before the connection is closed. (A process that is killed
 * cannot do this; then the program finds its input closed, at which servers end by themselves.)
 *
 * @param pid null when it does not run
 * @returns what forgets it
 */
export function endWithProcess(pid: () => number | null): () => void {
  pids.add(pid);
  if (!isWatching) process.once("exit", endAll);
  isWatching = true;
  return () => void pids.delete(pid);
}

function endAll(): void {
  for (const pid of pids) {
    const id = pid();
    if (id === null) continue;
    try {
      process.kill(id);
    } catch {
      // It has ended already.
    }
  }
}
