import { Command, END } from "@langchain/langgraph";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../common/errors.js";
import { type Compilable, compileGraph } from "../../graphs/compile.js";
import { type Condition, wire } from "../../graphs/wire.js";
import { askingStage, stage } from "../../nodes/kit/stage.js";
import { type StateUpdate } from "../../state/state.js";

const always: Condition = () => true;
const never: Condition = () => false;
const planning: Condition = ({ queue }) => queue.length > 0;

const nothing = stage({}, () => ({}));
const ending = stage({ ends: true }, () => ({ status: "unsolved" }) satisfies StateUpdate);

/** Its first two replies cannot be used. */
const asking = askingStage({}, ({ repair }) => {
  const attempts = (repair?.attempts ?? 0) + 1;
  return { repair: attempts > 2 ? null : { stage: "ask", problem: "is empty", attempts } };
});

describe("a run", () => {
  it("takes the first way whose condition holds", async () => {
    const wiring = wire("first", {
      first: { run: nothing, next: [[never, "last"], [always, "middle"], "last"] },
      middle: { run: nothing, next: [[planning, "first"], "last"] },
      last: { run: nothing, next: END },
    });
    expect(await visited(wiring)).toEqual(["first", "middle", "last"]);
  });

  it("revisits a stage after an unusable reply, whatever comes next", async () => {
    const wiring = wire("ask", {
      ask: { run: asking, next: [[always, "respond"], "other"] },
      other: { run: nothing, next: "respond" },
      respond: { run: nothing, next: END },
    });
    expect(await visited(wiring)).toEqual(["ask", "ask", "ask", "respond"]);
  });

  const table = {
    first: { run: ending, next: "second" },
    second: { run: nothing, next: "respond" },
    other: { run: nothing, next: "respond" },
    respond: { run: nothing, next: [[never, "other"], END] },
  } as const;

  it("that has ended goes to respond, or wherever the wiring or the stage says", async () => {
    expect(await visited(wire("first", table))).toEqual(["first", "respond"]);
    const ended = [[never, "second"], "other"] as const;
    const summed = ["first", "other", "respond"];
    expect(await visited(wire("first", table, { ended }))).toEqual(summed);
    const own = { ...table, first: { ...table.first, ended } };
    expect(await visited(wire("first", own))).toEqual(summed);
  });

  it("continues after a stage that cannot end it, whatever its status", async () => {
    const wiring = wire(
      "first",
      { ...table, second: { run: nothing, next: "other" } },
      {
        ended: "second",
      },
    );
    expect(await visited(wiring)).toEqual(["first", "second", "other", "respond"]);
  });
});

describe("a table", () => {
  it("with a misspelt stage does not compile, and is refused", () => {
    expect(() =>
      wire("first", {
        // @ts-expect-error it is second
        first: { run: nothing, next: "secnd" },
        second: { run: nothing, next: END },
      }),
    ).toThrow(InvalidSetting);
    expect(() =>
      wire("first", {
        // @ts-expect-error it is second
        first: { run: nothing, next: [[always, "secnd"], "second"] },
        second: { run: nothing, next: END },
      }),
    ).toThrow(/stage secnd: a row leads to it/);
    expect(() =>
      // @ts-expect-error it is first
      wire("frist", { first: { run: nothing, next: END } }),
    ).toThrow(/stage frist/);
  });

  it("with a misspelt stage does not compile after a spread either", () => {
    const { table } = wire("first", {
      first: { run: nothing, next: "second" },
      second: { run: nothing, next: END },
    });
    // @ts-expect-error it is second
    const wrong = () => wire("first", { ...table, first: { ...table.first, next: "secnd" } });
    expect(wrong).toThrow(/stage secnd/);
    const third = { run: nothing, next: "second" } as const;
    const right = wire("first", { ...table, first: { ...table.first, next: "third" }, third });
    expect(Object.keys(right.stages)).toEqual(["first", "second", "third"]);
  });

  it("with a stage that cannot be reached, or cannot reach the end, is refused", () => {
    const last = { run: nothing, next: END } as const;
    expect(() => wire("first", { first: last, lost: last })).toThrow(
      /stage lost: it cannot be reached from first/,
    );
    expect(() =>
      wire("first", {
        first: { run: nothing, next: [[always, "stuck"], "last"] },
        stuck: { run: nothing, next: "stuck" },
        last,
      }),
    ).toThrow(/stage stuck: it cannot reach the end/);
  });

  it("with a row that leads nowhere is refused", () => {
    expect(() => wire("first", { first: { run: nothing } })).toThrow(
      /stage first: its row leads nowhere/,
    );
  });

  it("with a stage that can end the run needs one that responds", () => {
    expect(() => wire("first", { first: { run: ending, next: END } })).toThrow(/stage respond/);
  });
});

describe("a stage", () => {
  const last = { run: nothing, next: END } as const;

  it("that gives what is no value of a channel is refused, and nothing of it reaches the caller", async () => {
    const rubbish = stage({}, () => ({ status: "no such status" }) as unknown as StateUpdate);
    const wiring = wire("first", { first: { run: rubbish, next: "last" }, last });
    await expect(visited(wiring)).rejects.toThrow(/status/);
  });

  it("may lead of its own by a Command, to the stages that its row names", async () => {
    const leading = stage({}, () => new Command({ update: { answer: "yes" }, goto: "third" }));
    const wiring = wire("first", {
      first: { run: leading, goto: ["second", "third"] },
      second: last,
      third: last,
    });
    const graph = compileGraph(wiring, { name: "own" });
    expect(await visited(wiring)).toEqual(["first", "third"]);
    expect(await graph.invoke({})).toMatchObject({ answer: "yes" });
  });

  it("is run again after an error by the retry policy of its row", async () => {
    let runs = 0;
    const failing = stage({}, () => {
      runs++;
      if (runs < 3) throw new Error("fetch failed");
      return {};
    });
    const retryPolicy = { maxAttempts: 3, initialInterval: 1, logWarning: false };
    const wiring = wire("first", { first: { run: failing, next: END, retryPolicy } });
    await visited(wiring);
    expect(runs).toBe(3);
  });

  it("is answered from the cache by the cache policy of its row", async () => {
    let runs = 0;
    const counting = stage({}, () => ({ answer: `run ${++runs}` }));
    const cachePolicy = { keyFunc: () => "always the same" };
    const wiring = wire("first", { first: { run: counting, next: END, cachePolicy } });
    const graph = compileGraph(wiring, { name: "own", cache: new InMemoryCache() });
    const answers = [await graph.invoke({}), await graph.invoke({})].map(({ answer }) => answer);
    expect(answers).toEqual(["run 1", "run 1"]);
  });
});

async function visited(wiring: Compilable): Promise<string[]> {
  const graph = compileGraph(wiring, { name: "own" });
  const names: string[] = [];
  for await (const update of await graph.stream({}, { streamMode: "updates" })) {
    names.push(...Object.keys(update));
  }
  return names;
}
