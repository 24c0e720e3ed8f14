import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newHome } from "../../fakes/homes.js";
import { LIMITED_SETTINGS, policySchema, readPolicy } from "../../../server/access/policy.js";

const page = readFileSync("docs/access.md", "utf8");

/** The page's examples of operator's files; the other example is a langgraph.json. */
const examples = [...page.matchAll(/```json\n(.*?)```/gs)]
  .map(([, json = ""]) => JSON.parse(json) as object)
  .filter((example) => !("auth" in example));

it("docs/access.md shows valid operator's files with every field", () => {
  const shown = examples.flatMap((example) => Object.keys(policySchema.parse(example)));
  expect(new Set(shown)).toEqual(new Set(Object.keys(policySchema.shape)));
  const [jwt] = examples.flatMap((example) => ("jwt" in example ? [example.jwt] : []));
  const fields = Object.keys(policySchema.shape.jwt.unwrap().shape);
  expect(Object.keys(Object(jwt))).toEqual(fields);
});

it("docs/access.md lists every setting that can be limited", () => {
  for (const name of LIMITED_SETTINGS) expect(page).toContain(`\`${name}\``);
});

it.each<[object, RegExp]>([
  [{ graphs: ["tulipp"] }, /graphs\.0: unknown graph "tulipp"; did you mean "tulip"\?/],
  [{ graphs: ["tulip", "nothing*"] }, /graphs\.1: unknown graph "nothing\*"/],
  [{ limits: { topK: "many" } }, /limits\.topK: "many" is not a number/],
  [
    { force: { aproval: "writes" } },
    /force\.aproval: unknown setting "aproval"; did you mean "app/,
  ],
  [{ settings: ["modl"] }, /settings\.0: unknown setting "modl"; did you mean "model"\?/],
  [
    { autentication: "on" },
    /the file: unknown field "autentication"; did you mean "authentication"/,
  ],
  [{ jwt: { jwk: "https://a.b/" } }, /jwt: unknown field "jwk"; did you mean "jwks"\?; available/],
  [{ grants: [{ owners: "key:a" }] }, /grants\.0: unknown field "owners"; did you mean "owner"\?/],
  [
    { models: ["opnai:gpt-4.1*"] },
    /models\.0: unknown model provider "opnai"; did you mean "openai"/,
  ],
  [{ models: ["gpt-4.1-mini"] }, /models\.0: .*"gpt-4.1-mini".* is not "provider:name"/],
  [{ embeddings: ["locl:any"] }, /embeddings\.0: unknown embeddings provider "locl"; .*"local"/],
  [{ grants: [{ owner: "ada" }] }, /grants\.0\.owner: is nobody; write "key:ada"/],
  [{ webhooks: ["https://a.example/x"] }, /webhooks\.0: is not the host of an address/],
  [{ webhooks: ["*.example.com"] }, /webhooks\.0: is not the host of an address/],
  [{ authentication: "of" }, /authentication: "of" is none of on, off\./],
])("an operator's file with %j is refused when the server starts", (policy, problem) => {
  const file = join(newHome(), "serve.json");
  writeFileSync(file, JSON.stringify(policy));
  expect(() => readPolicy(file)).toThrow(problem);
});
