import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The least that a process may have of a period, in microseconds. Short, so that none is halted for long with a lock. */
const LEAST_US = 1_000;

const V1 = "/sys/fs/cgroup/cpu";
const V2 = "/sys/fs/cgroup";

/** Whether processes can be held to a share of a core: on Linux with control groups, as root. */
export const hasShares =
  process.getuid?.() === 0 && (existsSync(V1) || existsSync(join(V2, "cgroup.controllers")));

/** Gives each process at most a share of a core. @returns what removes their groups, once the processes have ended */
export function holdToShare(pids: readonly number[], share: number): () => Promise<void> {
  const period = Math.ceil(LEAST_US / Math.min(share, 1));
  const root = existsSync(V1) ? V1 : V2;
  if (root === V2) writeFileSync(join(V2, "cgroup.subtree_control"), "+cpu");
  const groups = pids.map((pid) => {
    const group = join(root, `tulipgraph-${pid}`);
    mkdirSync(group);
    if (root === V2) {
      writeFileSync(join(group, "cpu.max"), `${LEAST_US} ${period}`);
    } else {
      writeFileSync(join(group, "cpu.cfs_period_us"), String(period));
      writeFileSync(join(group, "cpu.cfs_quota_us"), String(LEAST_US));
    }
    writeFileSync(join(group, "cgroup.procs"), String(pid));
    return group;
  });
  return async () => {
    for (const group of groups) await remove(group);
  };
}

/** Waits for a process that is about to leave its group. */
async function remove(group: string): Promise<void> {
  for (let tries = 0; tries < 100 && existsSync(group); tries++) {
    await rmdir(group).catch(() => sleep(50));
  }
}
