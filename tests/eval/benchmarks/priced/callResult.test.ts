import { describe, expect, it } from "vitest";
import {
  answeringWorld,
  callResult,
  factOf,
  successChance,
} from "../../../../eval/benchmarks/priced/callResult.js";
import type { PricedRequest } from "../../../../eval/benchmarks/priced/pricedRequests.js";
import { SMALL, mean, toolOf } from "./support.js";

const definition = answeringWorld(SMALL);
const [request] = SMALL.requests;
if (!request) throw new Error("no request");

type Run = ReturnType<typeof definition.create>;

/** A call answered by the world of a run. */
function call(run: Run, tool: string, reference: unknown = request?.reference) {
  return definition.answer?.(run, { tool, args: { reference } });
}

/** The results of the first calls of each tool that serves a need of a request. */
function results({ useful, count }: { useful: boolean; count: number }) {
  return SMALL.requests.flatMap((asked: PricedRequest) =>
    asked.candidates
      .map(toolOf)
      .filter((tool) => asked.needs.includes(tool.facet))
      .filter((tool) => successChance(tool, asked) > 0 === useful)
      .flatMap((tool) =>
        Array.from({ length: count }, (_, earlier) => ({
          tool,
          asked,
          result: callResult({ world: SMALL, request: asked, tool, earlier }),
        })),
      ),
  );
}

describe("a call in the priced world", () => {
  it("comes out the same whenever the same call is made at the same place of a run", () => {
    const [first, second] = [definition.create(), definition.create()];
    const calls = request.candidates.flatMap((id) => [id, id, id]);
    const answers = calls.map((id) => call(first, id));
    expect(calls.map((id) => call(second, id))).toEqual(answers);
  });

  it("comes out by how often the tool was called before, whatever else was called", () => {
    const [alone, among] = [definition.create(), definition.create()];
    const [tool = "", other = ""] = request.candidates;
    const answers = [1, 2, 3].map(() => call(alone, tool));
    const mixed = [1, 2, 3].map(() => {
      call(among, other);
      return call(among, tool);
    });
    expect(mixed).toEqual(answers);
  });

  it("goes on in a world that was saved and loaded as if nothing had happened", () => {
    const [whole, before] = [definition.create(), definition.create()];
    const [tool = ""] = request.candidates;
    const answers = [1, 2, 3, 4].map(() => call(whole, tool));
    expect([1, 2].map(() => call(before, tool))).toEqual(answers.slice(0, 2));
    const after = definition.load(JSON.parse(JSON.stringify(definition.save(before))));
    expect([3, 4].map(() => call(after, tool))).toEqual(answers.slice(2));
  });

  it("gives the fact as often as the tool is reliable", () => {
    const made = results({ useful: true, count: 10 });
    const given = mean(made.map(({ result }) => Number(result.helpful)));
    expect(given).toBeCloseTo(mean(made.map(({ tool }) => tool.reliability)), 1);
  });

  it("never gives a fact where the tool is of no use, and says so or not", () => {
    const made = results({ useful: false, count: 4 });
    expect(made.some(({ result }) => result.helpful)).toBe(false);
    expect(new Set(made.map(({ result }) => result.failed))).toEqual(new Set([true, false]));
    for (const { result, tool, asked } of made) {
      expect(result.text).not.toContain(
        factOf({ world: SMALL, request: asked, facet: tool.facet }),
      );
    }
  });

  it("tells the one fact that belongs to request and facet when it helps", () => {
    for (const { result, tool, asked } of results({ useful: true, count: 1 })) {
      const fact = factOf({ world: SMALL, request: asked, facet: tool.facet });
      expect(result.text.includes(fact)).toBe(result.helpful);
      expect(result.text.includes(asked.reference)).toBe(!result.failed);
    }
  });

  it("takes about as long as its tool does, and no two calls quite the same", () => {
    const made = results({ useful: true, count: 2 });
    for (const { result, tool } of made) {
      expect(result.ms / tool.latencyMs).toBeGreaterThan(0.7);
      expect(result.ms / tool.latencyMs).toBeLessThan(1.3);
    }
    expect(new Set(made.map(({ result }) => result.ms)).size).toBeGreaterThan(made.length / 4);
  });

  it("with a reference that nobody has tells nothing", () => {
    const [tool = ""] = request.candidates;
    const answer = call(definition.create(), tool, "ZZ-00000");
    expect(answer).toMatchObject({ result: 'Nothing is on record for "ZZ-00000".' });
  });

  it("of a tool that the world lacks is an error", () => {
    expect(call(definition.create(), "none")?.error).toMatch(/no tool "none"/);
  });
});

describe("the facts of the priced world", () => {
  it("are in no request and no description, and no two are the same", () => {
    const facts = SMALL.requests.flatMap((each) =>
      each.needs.map((facet) => factOf({ world: SMALL, request: each, facet })),
    );
    expect(new Set(facts).size).toBe(facts.length);
    const shown = [
      ...SMALL.requests.map(({ text }) => text),
      ...[...SMALL.tools.values()].map(({ id, description }) => `${id} ${description}`),
    ].join("\n");
    for (const fact of facts) {
      expect(fact).toMatch(/^[A-Z]{2}\d{2}-[A-Z]{2}\d{2}$/);
      expect(shown).not.toContain(fact);
    }
  });
});
