import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  callTool,
  folderOfTest,
  importServer,
  officialServer,
  program,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

describe("the official filesystem server", () => {
  it("offers working tools with its schemas, effects and name", async () => {
    const workspace = workspaceOfTest();
    const folder = folderOfTest();
    writeFileSync(join(folder, "note.txt"), "buy tulips");
    const settings = program(officialServer("filesystem"), folder);
    const { added, problems } = await importServer({ workspace, name: "files", settings });
    expect(problems).toEqual([]);
    expect(added).toContain("files.read_text_file");
    const tools = await toolsOf(workspace, "files");
    const read = tools.get("files.read_text_file");
    expect(read).toMatchObject({
      name: "read_text_file",
      effects: "read",
      provider: expect.stringContaining("filesystem"),
      parameters: { properties: { path: { type: "string" } }, required: ["path"] },
      returns: { properties: { content: { type: "string" } } },
    });
    expect(tools.get("files.write_file")).toMatchObject({ effects: "write", approval: true });
    const path = join(folder, "note.txt");
    const outcome = await callTool({ workspace, tool: read, args: { path } });
    expect(outcome).toMatchObject({ status: "done", result: { content: "buy tulips" } });
    const written = join(folder, "new.txt");
    const args = { path: written, content: "tulips bought" };
    await callTool({ workspace, tool: tools.get("files.write_file"), args });
    expect(readFileSync(written, "utf8")).toBe("tulips bought");
  });
});

describe("the official server with all features", () => {
  it("returns texts and structured content, and pictures and links as references", async () => {
    const workspace = workspaceOfTest();
    const settings = program(officialServer("everything"));
    await importServer({ workspace, name: "all", settings });
    const tools = await toolsOf(workspace, "all");
    const call = (name: string, args = {}) =>
      callTool({ workspace, tool: tools.get(`all.${name}`), args });
    expect(await call("echo", { message: "hello" })).toMatchObject({ result: "Echo: hello" });
    expect(await call("get-structured-content", { location: "New York" })).toMatchObject({
      status: "done",
      result: { temperature: expect.any(Number), conditions: expect.any(String) },
    });
    const picture = await call("get-tiny-image");
    const reference = (picture.result as Record<string, unknown>[]).find(
      (each) => each["kind"] === "image",
    );
    expect(reference).toMatchObject({ mimeType: "image/png", file: expect.any(String) });
    expect(picture.resultText.length).toBeLessThan(1_000);
    const [file] = await workspace.runtime.journal.files("t", [String(reference?.["file"])]);
    expect(file?.data.length).toBe(reference?.["bytes"]);
    const links = await call("get-resource-links", { count: 2 });
    expect(links.result).toContainEqual(
      expect.objectContaining({ kind: "link", uri: expect.any(String) }),
    );
  });
});
