import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";

const EXAMPLE = "examples/existing-agent.ts";

const run = promisify(execFile);

it("a LangChain agent gets a whole library in fifteen lines", async () => {
  expect(readFileSync(EXAMPLE, "utf8").trim().split("\n").length).toBeLessThanOrEqual(15);
  const endpoint = await startChatEndpoint(({ body: { messages = [] } }, at) => {
    const result = messages.find(({ role }) => role === "tool")?.content;
    const call = { id: "1", name: "area_circle", arguments: { radius: 3 } };
    const reply =
      result === undefined ? { calls: [call] } : { content: `It is ${JSON.stringify(result)}.` };
    return { id: `reply-${at}`, ...reply };
  });
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: endpoint.url };
  const { stdout } = await run(process.execPath, ["--import", "tsx", EXAMPLE], { env });
  await endpoint.close();
  const [first] = endpoint.bodies;
  const shown = first?.tools?.map((tool) => tool.function["name"]);
  expect(shown).toContain("area_circle");
  expect(shown?.length).toBeLessThan(10);
  expect(stdout).toMatch(/^It is "28\.27/);
});
