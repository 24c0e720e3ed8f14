import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeIn } from "../../../eval/runs/experimentFolder.js";
import { openExperience } from "../../../memory/openExperience.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { benchmarkFolder, recordsIn } from "./support.js";
import { errorLine, run, temporaryFolder } from "../support.js";

const CALL = {
  query: "Add 1 and 2.",
  tool: "add",
  args: { a: 1, b: 2 },
  result: "3",
  helpful: true,
};

const MODEL = scriptedModel([{ giveUp: "There is no need to." }]).spec;

/** Writes a file with these lines and returns its path. */
function experienceFile(...lines: unknown[]): string {
  const file = join(temporaryFolder(), "experience.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join("\n")}\n`);
  return file;
}

/** Runs one task with a planning graph. */
async function evaluate(options: { out: string; benchmark: string; more: string[] }) {
  const { out, benchmark, more } = options;
  const task = ["--benchmark", benchmark, "--out", out, "--task", "sum", "--graphs", "react_btp"];
  const models = ["--models", MODEL];
  return await run("eval", "run", ...task, ...models, "--catalog", "none", ...more);
}

/** The verdicts that runs of an experiment can use. */
async function remembered(out: string, library: string) {
  const store = openExperience({ home: homeIn(out) });
  try {
    return await store.stats({ library });
  } finally {
    await store.close();
  }
}

describe("eval run --experience", () => {
  it("lets runs plan with the past calls of a file, whatever library they were made with", async () => {
    const out = join(temporaryFolder(), "out");
    const benchmark = benchmarkFolder();
    const file = experienceFile(CALL, { ...CALL, query: "Add 3 and 4.", library: "elsewhere" });
    const more = ["--experience", file, "--set", "budget=20"];
    await evaluate({ out, benchmark, more });
    const [record] = recordsIn(out);
    expect(record?.ledger?.plan.find(({ tool }) => tool === "add")?.value).toBeGreaterThan(0.3);
    expect(await remembered(out, "small")).toMatchObject({ usages: 2, helpful: 2, tools: 1 });
  });

  it("continues with the same file, and refuses another one", async () => {
    const out = join(temporaryFolder(), "out");
    const benchmark = benchmarkFolder();
    const more = ["--experience", experienceFile(CALL)];
    await evaluate({ out, benchmark, more });
    expect((await evaluate({ out, benchmark, more })).code).not.toBe(2);
    expect((await remembered(out, "small")).usages).toBe(1);
    const others = experienceFile({ ...CALL, helpful: false });
    const other = await evaluate({ out, benchmark, more: ["--experience", others] });
    expect(errorLine(other)).toMatch(/experiment/);
    expect(errorLine(await evaluate({ out, benchmark, more: [] }))).toMatch(/experiment/);
  });

  it("refuses a missing file, and one without a usable line", async () => {
    const out = join(temporaryFolder(), "out");
    const benchmark = benchmarkFolder();
    const refused = async (...more: string[]) =>
      errorLine(await evaluate({ out, benchmark, more }));
    expect(await refused("--experience", "nowhere.jsonl")).toMatch(/nowhere\.jsonl/);
    const useless = experienceFile({ ...CALL, tool: "fly" });
    expect(await refused("--experience", useless)).toMatch(/no call of a tool of the benchmark/);
  });
});
