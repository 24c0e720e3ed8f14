import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../home/workspace.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, pretendTerminal, run } from "./support.js";

beforeAll(importTestLibrary);
afterAll(() => {
  vi.restoreAllMocks();
  return closeWorkspaces();
});

it.each<[...string[]]>([
  ["models"],
  ["graphs"],
  ["tools"],
  ["tools", "list", ...LIBRARY_OPTIONS.slice(0, 2)],
  ["tools", "search", "greet a person", ...LIBRARY_OPTIONS],
  ["tools", "doctor", "--level", "note", ...LIBRARY_OPTIONS.slice(0, 2)],
  ["solve", "Double the number 21", ...LIBRARY_OPTIONS],
  ["connect"],
])("what `%s %s` prints fits a terminal of 80 columns", async (...argv) => {
  pretendTerminal(80);
  const { stdout } = await run(...argv);
  const lines = stripVTControlCharacters(stdout).split("\n");
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
