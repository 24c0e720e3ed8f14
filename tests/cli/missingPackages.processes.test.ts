import { expect, it } from "vitest";
import { withoutPackages } from "../fakes/withoutPackages.js";
import { errorLine, startChild, temporaryFolder } from "./support.js";

it("a model in a folder says how to install what it lacks", async () => {
  const env = {
    ...withoutPackages("@huggingface/tokenizers"),
    TULIPGRAPH_EMBEDDINGS: "transformers:./anything",
  };
  const argv = ["tools", "search", "add two numbers", "--library", "math"];
  const line = errorLine(await startChild({ argv, env, cwd: temporaryFolder() }).ended);
  expect(line).toContain("@huggingface/tokenizers is not installed");
  expect(line).toContain("npm install @huggingface/tokenizers");
});

it("a server that cannot send its traces says in one line how it could, and serves", async () => {
  const env = {
    ...withoutPackages("@opentelemetry/sdk-trace-node"),
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    TULIPGRAPH_LOG_LEVEL: "warn",
  };
  const { process: server } = startChild({
    argv: ["serve", "--port", "0"],
    env,
    cwd: temporaryFolder(),
  });
  let said = "";
  for (const stream of [server.stdout, server.stderr])
    stream?.on("data", (text: string) => (said += text));
  await expect.poll(() => said).toMatch(/"no_traces".*\n/);
  const line = said.split("\n").find((each) => each.includes('"no_traces"')) ?? "";
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    problem: expect.stringContaining("npm install @opentelemetry/sdk-trace-node"),
  });
  await expect.poll(() => said).toMatch(/http:\S+/);
  const { origin } = new URL(/http:\/\/(?!127.0.0.1:1\b)\S+/.exec(said)?.[0] ?? "");
  expect((await fetch(`${origin}/ok`)).status).toBe(200);
});
