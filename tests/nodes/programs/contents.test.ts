import { describe, expect, it } from "vitest";
import { contentsOf, wholeLibrary } from "../../../nodes/programs/contents.js";
import { groupTools } from "../../../tools/library/records/groups.js";
import { estimateTokens } from "../../../common/tokens.js";
import type { ToolRecord } from "../../../tools/tool.js";

function tool(
  group: string,
  name: string,
  texts: { about?: string; does?: string } = {},
): ToolRecord {
  const { about, does = `Does ${name}.` } = texts;
  return {
    id: group ? `${group}.${name}` : name,
    name,
    description: does,
    ...(about ? { providerDescription: about } : {}),
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, ids: { type: "array", items: {} }, all: {} },
      required: ["path", "ids"],
    },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
    version: 1,
    hash: "",
  };
}

function libraryOf(tools: ToolRecord[]) {
  const groups = groupTools(
    tools.map((one) => ({ ...one, about: one.providerDescription ?? null })),
  );
  const pick = (ids: readonly string[]) =>
    new Map(tools.filter(({ id }) => ids.includes(id)).map((one) => [one.id, one]));
  return { groups: () => groups, list: () => tools, pick, size: tools.length };
}

const many = (group: string, count: number, word = "do_something") =>
  Array.from({ length: count }, (_, at) => tool(group, `${word}_${at}`));

describe("the contents of a library", () => {
  const about = { about: "Git repositories. Written by nobody." };
  const small = libraryOf([
    tool("git", "commit", about),
    tool("git", "show", about),
    tool("", "add"),
  ]);

  it("are its functions by group with their required arguments", () => {
    expect(contentsOf(small, {})).toEqual({
      text: "- git (Git repositories.): commit(path, ids[]) show(path, ids[])\n- add(path, ids[])",
      tells: "signatures",
    });
  });

  it("are only those that a run may use", () => {
    expect(contentsOf(small, { toolIds: ["git.show"] }).text).toBe(
      "- git (Git repositories.): show(path, ids[])",
    );
  });

  it.each([
    ["names alone, if signatures take too many tokens", many("git", 130), "names", /do_\w+_129$/],
    ["groups with their sizes, if names do", many("git", 300), "groups", /^git \(300\)$/],
    [
      "the largest groups, if even these do",
      [...many("git", 2), ...Array.from({ length: 490 }, (_, at) => tool(`server_${at}`, "get"))],
      "groups",
      /^git \(2\), server_\d+ \(1\), .* and \d+ more groups$/,
    ],
  ])("are %s", (_, tools, tells, text) => {
    const contents = contentsOf(libraryOf(tools), {});
    expect(contents).toMatchObject({ tells, text: expect.stringMatching(text) });
    expect(estimateTokens(contents.text)).toBeLessThan(820);
  });
});

describe("the contents for a hosted model, whose provider caches what prompts begin with", () => {
  const hosted = { model: "openai:gpt-4.1" };
  const large = libraryOf([...many("git", 535), ...many("mail", 5, "send")]);

  it("name all functions of a library of some hundred tools", () => {
    const contents = contentsOf(large, hosted);
    expect(contents.tells).toBe("names");
    expect(contents.text).toMatch(/do_something_534\b[^]*send_4\b/);
    expect(estimateTokens(contents.text)).toBeLessThanOrEqual(2500);
  });

  it("tell as many arguments of one group as of another", () => {
    const { text } = contentsOf(large, hosted);
    expect(text).toContain("do_something_0(path, ids[])");
    expect(text).toContain("send_4(path, ids[])");
  });

  it("tell of a library too large to be named functions of each group, the same for all its requests", () => {
    const groups = ["git", "mail", "notes"].flatMap((name) => many(name, 400));
    const library = libraryOf(groups);
    const contents = contentsOf(library, hosted);
    expect(contents.tells).toBe("groups");
    for (const name of ["git", "mail", "notes"])
      expect(contents.text).toContain(`- ${name}: do_something_0(path, ids[]) do_something_1(`);
    expect(estimateTokens(contents.text)).toBeGreaterThan(700);
    expect(estimateTokens(contents.text)).toBeLessThanOrEqual(740);
    expect(contentsOf(library, hosted)).toBe(contents);
    const uses = new Map(groups.map(({ id }, at) => [id, at + 1]));
    const called = estimateTokens(contentsOf(library, { ...hosted, uses }).text);
    expect(called).toBeGreaterThan(2400);
    expect(called).toBeLessThanOrEqual(2500);
    expect(contentsOf(library, {}).text).toBe("git (400), mail (400), notes (400)");
  });

  it("tell first what was called most, and then each group in turn", () => {
    const uses = new Map([
      ["git.do_something_400", 7],
      ["mail.send_4", 3],
    ]);
    const { text } = contentsOf(large, { ...hosted, contentsTokens: 1900, uses });
    expect(text).toContain("do_something_400(path, ids[])");
    expect(text).toContain("send_4(path, ids[])");
    const groups = libraryOf(["git", "mail"].flatMap((name) => many(name, 600)));
    const filled = contentsOf(groups, { ...hosted, uses }).text;
    expect(filled).toMatch(/- git: do_something_400\(path, ids\[\]\) do_something_0\(/);
    expect(contentsOf(groups, { ...hosted, uses }).text).toBe(filled);
  });

  it("take as many tokens as a setting says", () => {
    expect(contentsOf(large, { ...hosted, contentsTokens: 800 }).tells).toBe("groups");
    expect(contentsOf(large, { contentsTokens: 2500 }).tells).toBe("names");
    expect(contentsOf(large, { model: "ollama:qwen3" }).tells).toBe("groups");
  });
});

describe("a library that is shown whole", () => {
  const settings = { model: "offline:rules", primingTopK: 25 };

  it.each([
    ["has more tools than a search may find", many("git", 3), { primingTopK: 2 }],
    ["would cost more than its contents", many("git", 25), {}],
    ["is empty", [], {}],
  ])("is not one that %s", async (_, tools, more) => {
    expect(await wholeLibrary(libraryOf(tools), { ...settings, ...more })).toBeUndefined();
  });

  it("may be larger if the model's provider sells cached tokens for less", async () => {
    const does = "It does a lot of things, one after another, with great care. ".repeat(2);
    const tools = Array.from({ length: 20 }, (_, at) =>
      tool("git", `carry_out_the_task_${at}`, { does }),
    );
    const library = libraryOf(tools);
    expect(await wholeLibrary(library, settings)).toBeUndefined();
    expect(await wholeLibrary(library, { ...settings, model: "openai:gpt-4.1" })).toEqual(tools);
  });
});
