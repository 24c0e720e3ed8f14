import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_FLOW_RULES, flowRulesSchema } from "../../tools/calls/flow/flowRules.js";
import { readSource } from "../../tools/sources/index.js";
import { blocksOf } from "./pages.js";

function block(wanted: string): string {
  return blocksOf("docs/flow.md").find(({ language }) => language === wanted)?.text ?? "";
}

it("shows the rules that hold without a file", () => {
  const shown: unknown = JSON.parse(block("json"));
  expect(shown).toEqual(DEFAULT_FLOW_RULES);
  expect(flowRulesSchema.safeParse(shown).success).toBe(true);
});

it("shows tools whose labels are read as it says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-docs-"));
  const file = join(folder, "mail.ts");
  writeFileSync(file, block("ts"));
  const { tools, problems } = await readSource({ file });
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
  expect(
    tools.map(({ name, effects, flow: labels, sends }) => [name, effects, labels, sends]),
  ).toEqual([
    ["searchMail", "read", ["private", "foreign"], undefined],
    ["sendMail", "write", ["outward"], ["body"]],
  ]);
}, 60_000);
