import { createGates } from "../engine/gate.js";

/** A thread or process that works on one thing at a time. */
interface Member {
  ended: () => boolean;
  end: () => Promise<void>;
}

/**
 * Opens a pool of members that are started when they are needed, and kept for what comes next.
 *
 * @param options.size how many members work at once under one key, and how many are kept
 * @param options.isUseful which idle members are not ended
 */
export function openPool<One extends Member>(options: {
  name: string;
  size: number;
  start: () => One;
  isUseful?: (member: One) => boolean;
}) {
  const { name, size, start, isUseful = () => true } = options;
  const busy = new Set<One>();
  let idle: One[] = [];
  let isClosed = false;
  return {
    ...createGates(size),
    hasIdle: () => idle.some((each) => !each.ended()),
    /**
     * Has an idle member or a new one work. Wait for a slot before.
     *
     * @param isBest which of several idle ones is taken
     */
    async use<Result>(
      work: (member: One) => Promise<Result>,
      isBest: (member: One) => boolean = () => false,
    ): Promise<Result> {
      if (isClosed) throw new Error(`${name} is closed`);
      const useful = idle.filter((each) => !each.ended() && isUseful(each));
      for (const each of idle) if (!useful.includes(each)) void each.end();
      const member = useful.find(isBest) ?? useful.at(-1) ?? start();
      idle = useful.filter((each) => each !== member);
      busy.add(member);
      try {
        return await work(member);
      } finally {
        busy.delete(member);
        idle.push(member);
        for (const surplus of idle.splice(0, idle.length - size)) void surplus.end();
      }
    },
    /** Ends all members; no work may follow. */
    async close() {
      isClosed = true;
      await Promise.all([...idle, ...busy].map((member) => member.end()));
    },
  };
}
