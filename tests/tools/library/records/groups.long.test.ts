import { expect, it } from "vitest";
import { openLibraryStore } from "../../../../tools/library/store.js";
import { newHome } from "../../../fakes/homes.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";

it("finds the functions of a library that is too large to list by the ids of their tools", async () => {
  const store = openLibraryStore({ home: newHome() });
  const library = await store.open({
    name: "large",
    embeddings: wordEmbeddings(),
    embeddingModel: "fake:words",
    create: true,
  });
  const parameters = { type: "object" as const, properties: {} };
  const tools = [
    { id: "git.git_log", name: "git_log" },
    { id: "git.get-item", name: "get-item" },
    { id: "add", name: "add" },
  ];
  const many = Array.from({ length: 20_000 }, (_, at) => ({ id: `t${at}`, name: `t${at}` }));
  await library.sync({
    origin: "large",
    fingerprint: "1",
    embed: false,
    tools: [...tools, ...many].map((one) => ({
      ...one,
      description: "",
      parameters,
      source: { kind: "declared", file: "tools.jsonl" },
      effects: "read",
    })),
  });
  const { functionName, toolNamed, functionsIn, list } = library.groups();
  expect(list).toMatchObject([{ name: "git", size: 2 }]);
  expect(functionsIn("git")).toEqual([]);
  for (const tool of tools) expect(toolNamed(functionName(tool))).toBe(tool.id);
  expect(toolNamed("git.merge")).toBeUndefined();
  await store.close();
});
