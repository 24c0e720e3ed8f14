import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { closeWorkspaces } from "../../home/workspace.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { run, runJson } from "../cli/support.js";

afterAll(closeWorkspaces);

const [, recipe = ""] = readFileSync("docs/creation.md", "utf8").split("## Hundreds of tools");
const topics = (/printf '%s\\n' (.*) > topics\.txt/.exec(recipe)?.[1] ?? "").split(" ");
const kinds = [...(/for kind in (.*); do/.exec(recipe)?.[1] ?? "").matchAll(/"([^"]+)"/g)];
const [, wish = "", options = ""] = /tulipgraph solve "([^"]+)" (.*)/.exec(recipe) ?? [];

/** A function that passes its own examples, another for each topic and kind. */
function code(topic: string, at: number): string {
  return `/**
 * Scales a value of ${topic} by ${at + 2}.
 * @param value The value of ${topic}.
 * @returns the scaled value
 * @example ${topic}_times_${at + 2}(3) => ${3 * (at + 2)}
 * @example ${topic}_times_${at + 2}(0) => 0
 */
export function ${topic}_times_${at + 2}(value: number): number {
  return value * ${at + 2};
}`;
}

it("the documented recipe makes a tested tool for each topic and kind, and the doctor has no complaint", async () => {
  expect(topics.length * kinds.length).toBe(20);
  expect((await run("tools", "add", "--library", "generated", "--description", "Many")).code).toBe(
    0,
  );
  for (const topic of topics) {
    for (const [at, [, kind = ""]] of kinds.entries()) {
      const request = wish.replace("$topic", topic).replace("$kind", kind);
      const model = scriptedModel([
        { calls: [{ name: "create_tool", args: { task_description: request } }] },
        { text: code(topic, at) },
        { stop: "It was made." },
      ]);
      const made = await run("solve", request, ...options.split(" "), "--model", model.spec);
      expect(made).toMatchObject({ code: 0 });
      expect(model.questions).toHaveLength(3);
    }
  }
  const { json } = await runJson("tools", "list", "--library", "generated");
  expect(json).toHaveLength(20);
  const doctor = await run("tools", "doctor", "--library", "generated");
  expect(doctor.stdout).toContain("0 errors, 0 warnings");
}, 300_000);
