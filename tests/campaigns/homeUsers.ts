import { setTimeout as sleep } from "node:timers/promises";
import { type Programs, command, startLongUser, startServer } from "./homeParties.js";

/** The server, the process with open libraries, and the version that these and the command lines use. */
export interface Users {
  programs: Programs;
  server: Awaited<ReturnType<typeof startServer>>;
  longUser: ReturnType<typeof startLongUser>;
  isFull: boolean;
  /** Works while nobody is replaced. */
  working: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Ends all processes, and goes on with new ones. */
  replace: (programs: Programs) => Promise<void>;
  /** Ends all processes. @returns what they have printed */
  end: () => Promise<string>;
}

/** Starts a server and a process with open libraries. */
export async function usersOf(programs: Programs, processes: number): Promise<Users> {
  const made = await command(programs, ["keys", "create", "--scope", "admin"]);
  if (made.code !== 0) throw new Error(`no key: ${made.stderr}`);
  const key = made.stdout.trim();
  let output = "";
  const underWay = new Set<Promise<unknown>>();
  let replacing: Promise<void> = Promise.resolve();
  const end = async () => {
    await Promise.all([use.server.end(), use.longUser.end()]);
    output += use.server.output() + use.longUser.output();
    return output;
  };
  const use: Users = {
    programs,
    server: await startServer(programs, key, processes),
    longUser: startLongUser(programs),
    isFull: false,
    working: async (work) => {
      await replacing;
      const done = work();
      underWay.add(done);
      return await done.finally(() => underWay.delete(done));
    },
    replace: async (next) => {
      const replaceAll = async () => {
        // What was let in at this moment is under way by then.
        await sleep(50);
        await Promise.allSettled(underWay);
        await end();
        use.programs = next;
        use.server = await startServer(next, key, processes);
        use.longUser = startLongUser(next);
      };
      replacing = replaceAll();
      await replacing;
    },
    end,
  };
  return use;
}
