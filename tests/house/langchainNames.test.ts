import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const sources = execFileSync("git", ["ls-files", "*.ts", "*.tsx"])
  .toString()
  .split("\n")
  .filter((file) => file !== "" && !/^(tests|examples)\//.test(file));

/** Import paths of LangChain's packages: "@langchain/core/messages", "langchain/chat_models/universal". */
const IMPORTED = /(?:from|import)\s*\(?\s*"((?:@langchain\/[\w-]+|langchain)(?:\/[^"]+)?)"/g;

/**
 * Names inside LangGraph that no type of its declares as public: of its nodes' fields and of the methods between `stream`
 * and its loop.
 */
const INNER = /\b(?:lg_\w+|_streamIterator|__pregel_\w+|_defaults|_prepareStateSnapshot)\b/g;

it("imports nothing of LangChain's packages that they do not export", () => {
  const paths = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(IMPORTED)].map(([, path = ""]) => ({ file, path })),
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter(({ path }) => !isExported(path))).toEqual([]);
});

it("takes a path that a package does not export for one", () => {
  expect(isExported("@langchain/langgraph")).toBe(true);
  expect(isExported("@langchain/core/messages/tool")).toBe(true);
  expect(isExported("@langchain/langgraph/dist/pregel/loop.js")).toBe(false);
});

it("uses no inner name of LangGraph", () => {
  const used = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(INNER)].map(([name]) => `${file}: ${name}`),
  );
  expect(used).toEqual([]);
});

/** Whether the package.json of a path's package exports it. */
function isExported(path: string): boolean {
  const parts = path.split("/");
  const name = parts.slice(0, path.startsWith("@") ? 2 : 1).join("/");
  const { exports = {} } = JSON.parse(
    readFileSync(`node_modules/${name}/package.json`, "utf8"),
  ) as { exports?: Record<string, unknown> };
  return Object.hasOwn(exports, `.${path.slice(name.length)}`);
}
