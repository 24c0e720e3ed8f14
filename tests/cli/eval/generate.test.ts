import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, linesOf, run, temporaryFolder } from "../support.js";

const SHOP = `
/** The price of an article in euros.
 * @effects read */
export function price(article: string): number {
  if (article === "nothing") throw new Error("no such article");
  return article.length * 10;
}
/** Writes down an order. */
export function order(article: string): string { return "ordered " + article; }
`;

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  writeFileSync(join(folder, "shop.ts"), SHOP);
  await run("tools", "import", join(folder, "shop.ts"));
});
afterAll(closeWorkspaces);

/** Words a request for the tools it is shown, plans their calls, and accepts the plan. */
function writer(article: (number: number) => string) {
  let number = 0;
  return scriptedModel((question) => {
    if (question.stage === "writeRequest") {
      number += 1;
      const names = question.input.tools.map(({ name }) => name).join(" and ");
      return { text: JSON.stringify({ request: `Please do ${names} for the ${article(number)}` }) };
    }
    if (question.stage === "compose") {
      const steps = question.input.tools.map(({ name }) => ({
        tool: name,
        args: { article: article(number) },
      }));
      return { text: JSON.stringify({ thought: "", steps, answer: "" }) };
    }
    return { text: JSON.stringify({ accepted: true, cue: "" }) };
  });
}

async function generate(model: { spec: string }, count = "3") {
  const out = join(folder, "tasks.jsonl");
  const argv = ["--library", "shop", "--count", count, "--model", model.spec, "--out", out];
  const printed = await run("eval", "generate", ...argv);
  return { ...printed, out, tasks: linesOf(out).map((line) => JSON.parse(line) as Task) };
}

it("refuses the built-in planner before it empties the file", async () => {
  const out = join(folder, "tasks.jsonl");
  writeFileSync(out, "kept");
  const printed = await run("eval", "generate", "--model", "offline:planner", "--out", out);
  expect(errorLine(printed)).toContain("which cannot word requests. Name a language model");
  expect(readFileSync(out, "utf8")).toBe("kept");
});

it("says what a language model needs, and offers none that it would refuse", async () => {
  const out = ["--library", "shop", "--out", join(folder, "tasks.jsonl")];
  const none = errorLine(await run("eval", "generate", ...out));
  expect(none).toMatch(/no API key is set and .*\. Name a language model, such as openai:/);
  const named = ["--model", "openai:gpt-4.1-mini", ...out];
  const keyless = errorLine(await run("eval", "generate", ...named));
  expect(keyless).toMatch(/no API key is set\. Set OPENAI_API_KEY/);
  expect(keyless).not.toContain("offline:planner");
});

interface Task {
  query: string;
  tools: string[];
  calls?: { tool: string; args: unknown }[];
}

it("makes distinct tasks in people's words with gold calls, which eval run takes", async () => {
  const model = writer((number) => `chair ${number}`);
  const { code, stderr, tasks, out } = await generate(model);
  if (code !== 0) throw new Error(stderr);
  expect(tasks).toHaveLength(3);
  expect(new Set(tasks.map(({ query }) => query)).size).toBe(3);
  for (const { tools, calls } of tasks) expect(calls?.map(({ tool }) => tool)).toEqual(tools);
  const people = model.questions.filter(({ stage }) => stage === "writeRequest");
  expect(new Set(people.map(({ input }) => input.request)).size).toBeGreaterThan(1);
  const subject = ["--library", "shop", "--tasks", out, "--yes", "--out", join(folder, "runs")];
  const graphs = ["--graphs", "naive_tool", "--models", "simulated:gold"];
  expect((await run("eval", "run", ...subject, ...graphs)).code).toBe(0);
});

it("drops what fails when its reads are tried, what is asked twice, and what the critic rejects", async () => {
  const failing = await generate(
    writer((number) => (number % 2 ? "nothing" : "chair")),
    "2",
  );
  expect(failing.stdout).toMatch(/dropped/);
  expect(failing.tasks.map(({ query }) => query).join()).not.toMatch(/do price for the nothing/);
  expect(new Set(failing.tasks.map(({ query }) => query)).size).toBe(failing.tasks.length);
});
