import { writeFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isProjectFile } from "../../graphs/projects.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { flowRulesOf } from "../../nodes/policy/flowRulesOf.js";
import { readPolicy } from "../../server/access/policy.js";
import { run, temporaryFolder } from "./support.js";

afterEach(() => vi.unstubAllEnvs());
afterAll(closeWorkspaces);

/** Files as editors and shells of Windows write them. */
const ENCODINGS: [name: string, bytes: (text: string) => Buffer][] = [
  ["UTF-8 with a byte order mark", (text) => Buffer.from(`\uFEFF${text}`)],
  ["UTF-16", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
];

describe.each(ENCODINGS)("a file in %s with Windows' line ends", (_name, bytes) => {
  /** Makes its folder the current one. */
  const write = (file: string, text: string) => {
    const before = process.cwd();
    process.chdir(temporaryFolder());
    onTestFinished(() => process.chdir(before));
    writeFileSync(file, bytes(text.replaceAll("\n", "\r\n")));
  };

  it("is read as a .env, with its first variable", async () => {
    vi.stubEnv("TULIPGRAPH_MODEL", undefined);
    write(".env", "TULIPGRAPH_MODEL=offline:of-a-file\nTULIPGRAPH_HOME=.here\n");
    const { stderr } = await run("solve", "What is 2 + 3?");
    expect(stderr).toContain('unknown offline model "of-a-file"');
  });

  it("is read as an operator's file, flow rules and a langgraph.json", () => {
    write("any.json", '{ "graphs": ["tulip"] }\n');
    expect(readPolicy("any.json").graphs).toEqual(["tulip"]);
    write("rules.json", '{ "private": { "outward": "refuse" } }\n');
    expect(flowRulesOf({ flowRules: "rules.json" })?.private?.outward).toBe("refuse");
    write("langgraph.json", '{ "graphs": { "one": "./one.ts:graph" } }\n');
    expect(isProjectFile("langgraph.json")).toBe(true);
  });
});
