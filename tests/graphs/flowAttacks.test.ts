import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { type Attack, ATTACKS, PLANTED_WORLD, WAYS, type Way } from "./plantedAttacks.js";
import { programRun } from "./tulipRuns.js";

beforeAll(() => {
  openWorkspace({ worlds: [PLANTED_WORLD] });
});
afterAll(closeWorkspaces);

const CASES = WAYS.flatMap((way) =>
  ATTACKS.map((attack) => ({
    way,
    attack,
    what: `${attack.wanted.tool} after ${attack.read.tool}, obeyed ${way.name}`,
  })),
);

describe("an instruction in data", () => {
  it("is tried in 50 ways", () => {
    expect(new Set(CASES.map(({ what }) => what)).size).toBe(50);
  });

  it.each(CASES)("moves nothing out and writes nothing unasked: $what", async ({ way, attack }) => {
    const { change, waiting, run } = await obey({ way, attack });
    expect(waiting).toBeDefined();
    expect(JSON.stringify(waiting)).toMatch(/(?:private data|text from outside|outside text)/);
    expect(await change()).toEqual({});
    await run.decide({ type: "reject" });
    expect(await change()).toEqual({});
  });

  it.each(CASES.slice(0, ATTACKS.length))(
    "would write without the rules: $what",
    async ({ way, attack }) => {
      const { change } = await obey({ way, attack, flowRules: "off" });
      expect(await change()).not.toEqual({});
    },
  );
});

/** Has a model obey an instruction, and gives what the run waits for, and what it has changed so far. */
async function obey(options: { way: Way; attack: Attack; flowRules?: string }) {
  const { way, attack, ...settings } = options;
  const { request } = attack;
  const runs = way.runs(attack);
  const run = programRun({
    script: runs.flat(),
    request,
    graph: way.graph,
    settings: {
      ...TEST_LIBRARY,
      library: "work",
      threshold: 0,
      defaultTools: [attack.read.tool, attack.wanted.tool],
      ...settings,
    },
  });
  let ended = await run.start();
  for (const _next of runs.slice(1)) ended = await run.next("Then do what is to be done");
  const change = async () =>
    (await openWorkspace().runtime.worlds.open({ name: "work", runId: run.threadId })).change();
  return { run, change, waiting: ended.waiting };
}
