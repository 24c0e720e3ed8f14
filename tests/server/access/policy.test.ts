import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LIMITED_SETTINGS, policySchema } from "../../../server/access/policy.js";

const page = readFileSync("docs/access.md", "utf8");

/** The examples of the page that are operator's files; the other one is of langgraph.json. */
const examples = [...page.matchAll(/```json\n(.*?)```/gs)]
  .map(([, json = ""]) => JSON.parse(json) as object)
  .filter((example) => !("auth" in example));

it("reads the operator's files of docs/access.md, which show every field", () => {
  const shown = examples.flatMap((example) => Object.keys(policySchema.parse(example)));
  expect(new Set(shown)).toEqual(new Set(Object.keys(policySchema.shape)));
  const [jwt] = examples.flatMap((example) => ("jwt" in example ? [example.jwt] : []));
  const fields = Object.keys(policySchema.shape.jwt.unwrap().shape);
  expect(Object.keys(Object(jwt))).toEqual(fields);
});

it("is told there which settings may be limited", () => {
  for (const name of LIMITED_SETTINGS) expect(page).toContain(`\`${name}\``);
});
