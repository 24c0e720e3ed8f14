import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newHome } from "../../fakes/homes.js";
import { LIMITED_SETTINGS, policySchema, readPolicy } from "../../../server/access/policy.js";
import { startServer } from "../../../server/serve.js";
import { DEFAULT_SETTINGS } from "../../../server/server.js";
import { importInto } from "../support.js";

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
  [{ graphs: ["tulipp"] }, /graphs: unknown graph "tulipp"; did you mean "tulip"\?/],
  [{ graphs: ["tulip", "nothing*"] }, /graphs: unknown graph "nothing\*"/],
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

it("an operator's file names a library, source, group or tool that is not there yet: the server says so and starts", async () => {
  const place = { home: newHome() };
  await importInto(place);
  const policyFile = join(place.home, "serve.json");
  const grants = [
    { sources: ["tols"], effects: "read" },
    { tools: ["double_numbr", "half*"], sources: ["tools"] },
    { groups: ["crm"], group: "sales" },
    { tools: ["double_*", "area_circle"] },
  ];
  writeFileSync(policyFile, JSON.stringify({ libraries: { shared: ["test", "mth"] }, grants }));
  const started = { ...DEFAULT_SETTINGS, place, port: 0, policyFile };
  const { notices, close } = await startServer(started);
  await close();
  expect(notices).toEqual([
    'operator\'s file: libraries.shared: there is no "mth" yet; did you mean "math"?',
    'operator\'s file: grants.0.sources: there is no "tols" yet; did you mean "tools"?',
    'operator\'s file: grants.1.tools: there is no "double_numbr" yet; did you mean "double_number"?',
    'operator\'s file: grants.1.tools: there is no "half*" yet',
    'operator\'s file: grants.2.groups: there is no "crm" yet',
  ]);
}, 60_000);
