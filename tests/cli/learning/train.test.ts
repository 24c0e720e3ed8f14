import { existsSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openClassifier } from "../../../memory/classifier.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { judgedCalls } from "../../memory/pastCallFixture.js";
import { temporaryFolder, errorLine, run } from "../support.js";
// Registers the embeddings "words:hashed".
// oxlint-disable-next-line import/no-unassigned-import
import "../../fakes/testLibrary.js";

const TRAIN = ["train", "judge"];

let home: string;

beforeEach(async () => {
  await closeWorkspaces();
  home = temporaryFolder();
  process.env["TULIPGRAPH_HOME"] = home;
});
afterAll(closeWorkspaces);

/** Records calls in the home of the test; the command opens it again. */
async function record(requests: number, library = "weather"): Promise<void> {
  await (
    await openWorkspace().experience()
  ).add(judgedCalls(requests).map((call) => ({ ...call, id: `${library}${call.id}`, library })));
  await closeWorkspaces();
}

describe("tulipgraph train judge", () => {
  it("keeps a classifier in the home and prints its figures on held-out calls", async () => {
    await record(20);
    const { code, stdout, stderr } = await run(...TRAIN);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^trained on +28 calls$/m);
    expect(stdout).toMatch(/^held out +12 calls of other requests, 6 of them helpful$/m);
    expect(stdout).toMatch(/^precision +\d\.\d{3}$/m);
    expect(stdout).toMatch(/^recall +\d\.\d{3}$/m);
    expect(stdout).toMatch(/^accuracy +\d\.\d{3} \(always helpful: 0\.500\)$/m);
    const file = /^classifier +(.*)$/m.exec(stdout)?.[1] ?? "";
    expect(existsSync(file)).toBe(true);
    expect(stderr).toBe("");
    expect(openClassifier({ home, embeddings: "words:hashed" }).figures.train).toBe(28);
  });

  it("says in one line that there is too little to learn from", async () => {
    const line = errorLine(await run(...TRAIN));
    expect(line).toMatch(/^error: judge: 0 calls of 0 requests .* tulipgraph memory import FILE$/);
  });
});
