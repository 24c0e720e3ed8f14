import { describe, expect, it } from "vitest";
import {
  answeringWorld,
  callResult,
  factOf,
  pricedBenchmark,
} from "../../../../eval/benchmarks/priced/index.js";
import {
  declarationOf,
  makeWorld,
  type PricedTool,
  WORLD_PARAMETERS,
} from "../../../../eval/benchmarks/priced/pricedWorld.js";
import { readNeeds, readReference, speaksOf } from "../../../../eval/simulated/findings.js";

const SMALL = makeWorld({ ...WORLD_PARAMETERS, testRequests: 60, trainingRequests: 200 });
const definition = answeringWorld(SMALL);
const [request] = SMALL.requests;
if (!request) throw new Error("no request");

function toolOf(id: string): PricedTool {
  const tool = SMALL.tools.get(id);
  if (!tool) throw new RangeError(`no tool ${id}`);
  return tool;
}

describe("the priced world", () => {
  it("is the same whenever it is made, and another with another seed", () => {
    const parameters = { ...WORLD_PARAMETERS, testRequests: 20, trainingRequests: 20 };
    expect(makeWorld(parameters)).toEqual(makeWorld(parameters));
    const other = makeWorld({ ...parameters, seed: parameters.seed + 1 });
    expect(other.requests[0]?.text).not.toBe(makeWorld(parameters).requests[0]?.text);
  });

  it("shows nothing of what it hides: other reliabilities and uses change no text and no price", () => {
    const hidden = { usefulShare: 0.2, reliability: { least: 0.1, most: 0.2 } };
    const other = makeWorld({ ...SMALL.parameters, ...hidden });
    const shown = [...other.tools.values()].map(declarationOf);
    expect(shown).toEqual([...SMALL.tools.values()].map(declarationOf));
    expect(other.requests).toEqual(SMALL.requests);
  });

  it("has requests that can be understood from their words and the descriptions of tools alone", () => {
    for (const { text, reference, needs, candidates } of [...SMALL.requests, ...SMALL.training]) {
      const read = readNeeds(text);
      expect(readReference(text)).toBe(reference);
      expect(read).toHaveLength(needs.length);
      for (const [index, need] of read.entries()) {
        const fitting = candidates.filter((id) => speaksOf(toolOf(id).description, need));
        const serving = candidates.filter((id) => toolOf(id).facet === needs[index]);
        expect(fitting, `${text} — ${need.text}`).toEqual(serving);
        expect(serving.length).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

const ask = (asked: string) =>
  definition.answer?.(definition.create(), { tool: asked, args: { reference: "ZZ-00000" } });

describe("a call in the priced world", () => {
  it("comes out by how often the tool was called, whatever else was, also after loading", () => {
    const [alone, among] = [definition.create(), definition.create()];
    const [tool = "", other = ""] = request.candidates;
    const args = { reference: request.reference };
    const answers = [1, 2, 3, 4].map(() => definition.answer?.(alone, { tool, args }));
    const mixed = [1, 2].map(() => {
      void definition.answer?.(among, { tool: other, args });
      return definition.answer?.(among, { tool, args });
    });
    const loaded = definition.load(JSON.parse(JSON.stringify(definition.save(among))));
    const later = [3, 4].map(() => definition.answer?.(loaded, { tool, args }));
    expect([...mixed, ...later]).toEqual(answers);
  });

  it("tells the one fact of request and facet when it helps, as often as its tool is reliable", () => {
    let [expected, given] = [0, 0];
    for (const asked of SMALL.requests) {
      const serving = asked.candidates
        .map(toolOf)
        .filter(({ facet }) => asked.needs.includes(facet));
      for (const tool of serving) {
        const fact = factOf(SMALL, asked, tool.facet);
        for (let earlier = 0; earlier < 5; earlier += 1) {
          const result = callResult({ world: SMALL, request: asked, tool, earlier });
          expect(result.text.includes(fact)).toBe(result.helpful);
          expect(result.helpful && !tool.usefulTo.has(asked.family)).toBe(false);
          expected += tool.usefulTo.has(asked.family) ? tool.reliability : 0;
          given += Number(result.helpful);
        }
      }
    }
    expect(given / expected).toBeCloseTo(1, 1);
  });

  it("tells nothing for an unknown reference, and is an error for an unknown tool", async () => {
    const [tool = ""] = request.candidates;
    const nothing = await ask(tool);
    const unknown = await ask("none");
    expect(nothing).toMatchObject({ result: 'Nothing is on record for "ZZ-00000".' });
    expect(unknown?.error).toMatch(/no tool "none"/);
  });
});

describe("the benchmark of budgets", () => {
  it("has 600 tasks of three levels and 240 tools with a price that the world answers for", () => {
    const { tasks, tools } = pricedBenchmark();
    expect([new Set(tasks.map(({ id }) => id)).size, tools.length]).toEqual([600, 240]);
    expect(new Set(tasks.map(({ level }) => level)).size).toBe(3);
    for (const { id, cost, source } of tools) {
      expect(cost).toBe(toolOf(id).cost);
      expect(source).toMatchObject({ kind: "declared", world: definition.name });
    }
  });

  it("names for each task a fact for each need, and right tools that are on offer", () => {
    for (const [index, { tools, facts, candidates }] of pricedBenchmark(SMALL).tasks.entries()) {
      expect(facts).toHaveLength(SMALL.requests[index]?.needs.length ?? 0);
      expect(candidates).toEqual(expect.arrayContaining(tools));
    }
  });

  it("has experience from training requests alone, which ends a need with its first success", () => {
    const pastCalls = [...(pricedBenchmark(SMALL).experience?.("shelf") ?? [])];
    expect(new Set(pastCalls.map(({ query }) => query)).size).toBe(SMALL.training.length);
    for (const { text, needs } of SMALL.training) {
      const made = pastCalls.filter(({ query }) => query === text);
      for (const need of needs) {
        const tries = made.filter(({ tool }) => toolOf(tool).facet === need);
        const success = tries.findIndex(({ helpful }) => helpful === true);
        expect(tries.length).toBe(success < 0 ? 3 : success + 1);
      }
    }
  });
});
