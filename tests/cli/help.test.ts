import { expect, it } from "vitest";
import { SETTING_GROUPS } from "../../state/settings.js";
import { settingNames } from "../house/settingNames.js";
import { errorLine, run } from "./support.js";

it.each(["solve", "tools", "tools history", "memory import", "train judge"])(
  "%s --help explains the command with an example, and the options of all commands",
  async (command) => {
    const { code, stdout, stderr } = await run(...command.split(" "), "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: tulipgraph ${command} [options]`);
    expect(stdout).toMatch(/\n {2}--library <library> [^]*\n {2}--json /);
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

it("help COMMAND prints the help of a command, and a mistyped one is an error", async () => {
  expect(await run("help", "solve")).toEqual(await run("solve", "--help"));
  expect(await run("help", "tools", "list")).toEqual(await run("tools", "list", "--help"));
  expect(errorLine(await run("help", "solv"))).toMatch(/"solv"; did you mean "solve"\?/);
});

it("solve --help lists every setting under a heading, with its values and its default", async () => {
  const { stdout } = await run("solve", "--help");
  const text = stdout.replaceAll(/\n {10,}/g, " ");
  expect(text).toMatch(/^Approval and data \(--set\):\n {2}approval +What a person must approve/m);
  expect(text).toMatch(/\(none, declared, writes or plan; default: declared\)$/m);
  expect(text).toMatch(/^ {2}maxModelCalls .*\(a whole number from 1 to 5000; default: 50\)$/m);
  expect(text).toMatch(/^ {2}remember .*\(true or false; default: false\)$/m);
  const named = settingNames().filter((name) => name !== "model");
  for (const name of named) expect(text).toMatch(new RegExp(`^ {2}${name} +[A-Z]`, "m"));
  for (const [first, heading] of SETTING_GROUPS) {
    expect(text).toMatch(new RegExp(`^${heading} \\(--set\\):\\n {2}${first} `, "m"));
  }
});

it("commands stand under headings of what they are for", async () => {
  const { stdout } = await run("--help");
  expect(stdout).toMatch(/^Solving requests:\n {2}solve [^]*^Tools:\n {2}tools [^]*^Serving:\n/m);
});

it("--version is a number", async () => {
  expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("the program's options stand before the command or after it", async () => {
  const before = await run("--json", "graphs");
  expect(before).toEqual(await run("graphs", "--json"));
  const list = JSON.parse(before.stdout) as { id: string }[];
  expect(list.map(({ id }) => id)).toContain("naive_tool");
  const tools = await run("--library", "work", "--json", "tools", "list");
  expect(tools).toEqual(await run("tools", "--library", "work", "--json"));
});

it("graphs are listed, and drawn as Mermaid diagrams", async () => {
  const { stdout } = await run("graphs");
  expect(stdout).toMatch(/^tulip {15}One search.* \(the default\) · Tulip Agent/m);
  expect((await run("graphs", "base")).stdout).toMatch(/graph TD;[^]*intake --> act;/);
});
