import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ModelFailed } from "../../common/errors.js";
import { openFineTuning } from "../../models/fineTuning.js";
import { startFineTuningEndpoint } from "../fakes/fineTuningEndpoint.js";
import { temporaryHome } from "../memory/support.js";

const MODEL = "gpt-4.1-mini";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  vi.stubEnv("OPENAI_BASE_URL", undefined);
});
afterEach(() => vi.unstubAllEnvs());

function setFile(): string {
  const file = join(temporaryHome(), "set.jsonl");
  writeFileSync(file, '{"messages":[]}\n');
  return file;
}

async function endpoint(options: { status?: number } = {}) {
  const started = await startFineTuningEndpoint(options);
  onTestFinished(async () => await started.close());
  vi.stubEnv("OPENAI_BASE_URL", started.url);
  return started;
}

describe("fine-tuning at OpenAI", () => {
  it("uploads the set, then starts a job with it and gives its id", async () => {
    const { requests } = await endpoint();
    vi.stubEnv("OPENAI_API_KEY", "sk-of-the-test");
    const { submit } = await openFineTuning({ model: MODEL });
    expect(await submit({ file: setFile(), seed: 7 })).toBe("ftjob-1");
    expect(requests.map(({ path }) => path)).toEqual(["/v1/files", "/v1/fine_tuning/jobs"]);
    const [upload, job] = requests;
    expect(upload?.authorization).toBe("Bearer sk-of-the-test");
    expect(upload?.body).toContain("fine-tune");
    expect(upload?.body).toContain('{"messages":[]}');
    expect(JSON.parse(job?.body ?? "")).toEqual({
      model: MODEL,
      training_file: "file-1",
      seed: 7,
    });
  });

  it("is refused without a key, before anything is sent", async () => {
    await expect(openFineTuning({ model: MODEL })).rejects.toThrow(
      /^model openai:gpt-4\.1-mini: no key is set\. set OPENAI_API_KEY .* without --submit/,
    );
  });

  it("says what the provider answers when it takes no job", async () => {
    await endpoint({ status: 400 });
    const { submit } = await openFineTuning({ model: MODEL });
    const submitting = submit({ file: setFile(), seed: 1 });
    await expect(submitting).rejects.toThrow(ModelFailed);
    await expect(submitting).rejects.toThrow(/HTTP 400: the model cannot be trained$/);
  });
});
