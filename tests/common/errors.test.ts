import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { UnknownName, explained, messageOf } from "../../common/errors.js";
import { SOURCE_FOLDERS } from "../../scripts/setup/build.mjs";

describe("an unknown name", () => {
  it("is reported with the nearest name and those that exist", () => {
    const { message } = new UnknownName({
      kind: "graph",
      wanted: "Cot_Tulp",
      available: ["base", "cot_tulip"],
      hint: "see: tulipgraph graphs",
    });
    expect(message).toBe(
      'unknown graph "Cot_Tulp"; did you mean "cot_tulip"?; available: base, cot_tulip; see: tulipgraph graphs',
    );
  });

  it("says if there is none at all, and cuts long lists", () => {
    expect(new UnknownName({ kind: "tool", wanted: "a", available: [] }).message).toBe(
      'unknown tool "a"; none are available',
    );
    const available = Array.from({ length: 20 }, (_, at) => `tool_${at}`);
    expect(new UnknownName({ kind: "tool", wanted: "x", available }).message).toContain(
      "tool_11 and 8 more",
    );
  });
});

it("has one mark at the end of what is wrong, before what to do", () => {
  const hint = "write another";
  expect(explained("x", { problem: "is wrong", hint })).toBe("x: is wrong. Write another");
  expect(explained("x", { problem: 'did you mean "y"?', hint })).toBe(
    'x: did you mean "y"? Write another',
  );
});

it("of Zod is told in words, such as that of a stage which writes what the state does not have", () => {
  const { error } = z
    .object({ status: z.enum(["solved", "unsolved"]) })
    .safeParse({ status: "no" });
  expect(messageOf(error)).toBe('status: Invalid option: expected one of "solved"|"unsolved"');
});

it("has a code that no other error has", () => {
  const sources = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(file, "utf8"));
  const classes = sources.flatMap((source) => source.match(/extends TulipgraphError \{/g) ?? []);
  const codes = sources.flatMap((source) => source.match(/readonly code = "[A-Z_]+";/g) ?? []);
  expect(classes.length).toBeGreaterThan(10);
  expect(new Set(codes).size).toBe(classes.length);
});
