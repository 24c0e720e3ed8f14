import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withOthers } from "../../../eval/oracle/growth.js";
import type { Subject } from "../../../eval/oracle/subject.js";
import { toolNamed } from "./support.js";

const OWN = ["find", "show"].map((id) => toolNamed(id));

const OTHERS = Array.from({ length: 20 }, (_, at) => toolNamed(`other_${at}`));

const SUBJECT: Subject = {
  named: "b",
  gold: [],
  benchmark: {
    name: "b",
    source: "here",
    hash: "h",
    tools: OWN,
    tasks: [],
    argumentRule: "equal",
  },
};

async function filledTo(tools: number, changes: Partial<Subject> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-growth-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const subject = { ...SUBJECT, ...changes };
  return withOthers({ subject, others: OTHERS, tools, seed: 1, folder });
}

describe("a filled-up library", () => {
  it("has its own tools and the missing number of others, including those of smaller libraries", async () => {
    const [none, few, more] = [await filledTo(1), await filledTo(5), await filledTo(9)];
    expect(none.tools).toEqual(OWN);
    expect(few.tools).toHaveLength(5);
    expect(more.tools).toHaveLength(9);
    expect(more.tools.slice(0, 5)).toEqual(few.tools);
    expect((await filledTo(100)).tools).toHaveLength(22);
  });

  it("adds no tool with the name of one of its own", async () => {
    const twins = [
      { ...toolNamed("set:Find"), name: "Find" },
      { ...toolNamed("x"), name: "show" },
    ];
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-growth-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const others = [...twins, ...OTHERS];
    const grown = await withOthers({ subject: SUBJECT, others, tools: 100, seed: 1, folder });
    expect(grown.tools.map(({ id }) => id)).not.toContain("set:Find");
    expect(grown.tools.map(({ id }) => id)).not.toContain("x");
  });

  it("declares the others next to a catalogue, which is complete if there is room", async () => {
    const grown = await filledTo(500, { catalogue: "math" });
    expect(grown.tools.map(({ id }) => id)).toContain("area_circle");
    const declared = readFileSync(grown.toolsFile ?? "", "utf8")
      .trim()
      .split("\n");
    expect(declared).toHaveLength(22);
    const small = await filledTo(3, { catalogue: "math" });
    expect(small.tools.map(({ id }) => id)).not.toContain("area_circle");
  });
});
