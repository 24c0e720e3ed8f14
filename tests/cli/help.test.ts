import { describe, expect, it } from "vitest";
import { run } from "./support.js";

describe("help", () => {
  const COMMANDS = ["solve", "tools", "tools history", "memory import", "train judge", "budget"];

  it.each(COMMANDS)("%s --help explains the command with an example", async (command) => {
    const { code, stdout, stderr } = await run(...command.split(" "), "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: tulipgraph ${command} [options]`);
    expect(stdout).toMatch(/\nExamples?:\n {2}tulipgraph /);
  });

  it.each([["--help"], ["-h"], ["help"], []])("%s lists all commands", async (...argv) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const command of ["solve", "resume", "threads", "graphs", "tools", "serve"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${command} {2}`, "m"));
    }
  });

  it("of a command is what help COMMAND prints", async () => {
    const { stdout } = await run("help", "resume");
    expect(stdout).toBe((await run("resume", "--help")).stdout);
  });

  it("of solve names every setting that --set takes", async () => {
    const { stdout } = await run("solve", "--help");
    for (const setting of ["maxDepth", "toolTimeoutMs", "approval", "budget", "pricing"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${setting} +[A-Z]`, "m"));
    }
  });

  it("is not the version, which is a number", async () => {
    expect(await run("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe("graphs", () => {
  it("are listed, and drawn as Mermaid diagrams", async () => {
    const { stdout } = await run("graphs");
    expect(stdout).toMatch(/^tulip {15}One search.* \(the default\) · Tulip Agent/m);
    const list = JSON.parse((await run("graphs", "--json")).stdout) as { id: string }[];
    expect(list.map(({ id }) => id)).toContain("naive_tool");
    const drawing = await run("graphs", "base");
    expect(drawing.stdout).toMatch(/graph TD;[^]*intake --> act;/);
  });
});
