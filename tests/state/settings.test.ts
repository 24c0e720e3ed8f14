import { afterEach, describe, expect, it, vi } from "vitest";
import { demonstrationThreshold, parseSettings, readSettings } from "../../state/settings.js";

afterEach(() => vi.unstubAllEnvs());

describe("the settings of a run", () => {
  it("are the defaults when nothing is given", () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    expect(readSettings({})).toMatchObject({
      model: "offline:planner",
      embeddings: "local:sentence-encoder",
      library: "math",
      topK: 10,
      maxDepth: 2,
    });
  });

  it("name a hosted model by default when its key is set", () => {
    vi.stubEnv("OPENAI_API_KEY", "k");
    expect(readSettings({}).model).toMatch(/^openai:/);
  });

  it("may be under configurable, if the context has none", () => {
    const configurable = { thread_id: "t", topK: 3, maxDepth: 1 };
    expect(readSettings({ configurable, context: { topK: 4 } })).toMatchObject({
      topK: 4,
      maxDepth: 1,
    });
  });

  it("are refused by name when they do not exist", () => {
    expect(() => parseSettings({ libary: "math" })).toThrow(/unknown setting "libary".*"library"/);
  });

  it.each([
    { topK: 0 },
    { topK: 2.5 },
    { threshold: 9 },
    { maxDepth: -1 },
    { maxModelCalls: 5001 },
    { model: 7 },
    { temperature: "hot" },
  ])("are refused when the value makes no sense: %j", (settings) => {
    expect(() => parseSettings(settings)).toThrow(new RegExp(`^${Object.keys(settings)[0]}: `));
  });
});

describe("what is near enough to be found", () => {
  it("is left to the search, unless a distance is given", () => {
    expect(parseSettings({})).not.toHaveProperty("threshold");
    expect(parseSettings({ threshold: 0 })).toMatchObject({ threshold: 0 });
  });
});

describe("the cosine above which a task is alike", () => {
  it("is the one given, else the measured one of the embedding model, else a strict one", () => {
    const embeddings = "openai:text-embedding-3-small";
    expect(demonstrationThreshold(parseSettings({ demoThreshold: 0 }))).toBe(0);
    expect(demonstrationThreshold(parseSettings({}))).toBe(0.65);
    expect(demonstrationThreshold(parseSettings({ embeddings }))).toBe(0.75);
  });
});
