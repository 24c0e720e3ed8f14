import { expect, it } from "vitest";
import { run } from "./support.js";

it.each(["solve", "tools", "tools history", "memory import", "train judge"])(
  "%s --help explains the command with an example, and the options of all commands",
  async (command) => {
    const { code, stdout, stderr } = await run(...command.split(" "), "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: tulipgraph ${command} [options]`);
    expect(stdout).toMatch(/\n {2}--library <name> [^]*\n {2}--json /);
    expect(stdout).toMatch(/\nExamples?:\n {2}tulipgraph /);
  },
);

it.each([["--help"], ["help"], []])("%s lists all commands", async (...argv) => {
  const { code, stdout } = await run(...argv);
  expect(code).toBe(0);
  for (const command of ["solve", "resume", "threads", "graphs", "tools", "serve"]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} {2}`, "m"));
  }
});

it("help COMMAND prints the help of a command; that of solve names what --set takes", async () => {
  const { stdout } = await run("help", "solve");
  expect(stdout).toBe((await run("solve", "--help")).stdout);
  expect(stdout).toMatch(/^ {2}toolTimeoutMs +[A-Z]/m);
});

it("--version is a number", async () => {
  expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("the program's options stand before the command or after it", async () => {
  const before = await run("--json", "graphs");
  expect(before).toEqual(await run("graphs", "--json"));
  const list = JSON.parse(before.stdout) as { id: string }[];
  expect(list.map(({ id }) => id)).toContain("naive_tool");
  const tools = await run("--library", "robot", "--json", "tools", "list");
  expect(tools).toEqual(await run("tools", "--library", "robot", "--json"));
});

it("graphs are listed, and drawn as Mermaid diagrams", async () => {
  const { stdout } = await run("graphs");
  expect(stdout).toMatch(/^tulip {15}One search.* \(the default\) · Tulip Agent/m);
  expect((await run("graphs", "base")).stdout).toMatch(/graph TD;[^]*intake --> act;/);
});
