import { describe, expect, it } from "vitest";
import { runHiddenChecks } from "../../../eval/creation/hiddenChecks.js";
import type { CreationRequest } from "../../../eval/creation/creationRequests.js";
import { CREATION_REQUESTS } from "../../../eval/creation/creationRequests.js";
import { openStartLibrary } from "../../../eval/creation/startLibrary.js";
import { WRITER_SCRIPTS } from "../../../eval/simulated/writerScripts.js";
import type { WriterDraft, WriterScript } from "../../../eval/simulated/writerScripts.js";
import { openWorkspace } from "../../../workspace/workspace.js";
import { CONTROL_NAMES } from "../../../tools/control.js";
import type { DraftReading, GeneratedTool } from "../../../tools/generated/draft.js";
import { readDraft } from "../../../tools/generated/readDraft.js";
import type { ToolLibrary } from "../../../tools/library/library.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";

const THREAD = { threadId: "drafts", timeoutMs: 60_000 };

const CASES = WRITER_SCRIPTS.map((script) => ({
  script,
  requests: CREATION_REQUESTS.filter(({ query }) => query.includes(script.about)),
}));

async function libraryOf({ id, start }: CreationRequest): Promise<ToolLibrary> {
  return await openStartLibrary({ name: id, embeddings: TEST_LIBRARY.embeddings, start });
}

function read({ reply }: WriterDraft, { wish }: WriterScript, library: ToolLibrary): DraftReading {
  const source = wish.kind === "update" ? library.get(wish.tool)?.source : undefined;
  return readDraft({
    reply,
    tools: library.list(),
    reserved: CONTROL_NAMES,
    ...(wish.kind === "update" && source?.kind === "generated"
      ? { name: wish.tool, earlier: source.checks }
      : {}),
  });
}

/** The actual fault of a draft; undefined for none. */
async function faultOf(reading: DraftReading, library: ToolLibrary): Promise<string | undefined> {
  if (!reading.ok) return reading.problems[0]?.kind;
  const { tool } = reading;
  const { checks } = tool.source;
  const outcomes = await openWorkspace().runtime.tryOut({ tool, checks, library, ...THREAD });
  const [failed] = outcomes.filter(({ passed }) => !passed);
  if (!failed) return undefined;
  const isLimit = failed.got.kind === "throws" && failed.got.error.includes("nested too deep");
  return isLimit ? "limit" : "failed example";
}

async function failingOf(options: {
  tool: GeneratedTool;
  request: CreationRequest;
  library: ToolLibrary;
}): Promise<string[]> {
  const { tool, request, library } = options;
  const { failing } = await runHiddenChecks({
    tool: { ...tool, version: 1, hash: `hidden ${request.id}` },
    checks: request.checks,
    library,
    signal: new AbortController().signal,
    ...THREAD,
  });
  return failing.map(({ check, got }) => `${check}: ${got}`);
}

describe("the drafts of the simulated writer", () => {
  it("exist for each request, one script per request", () => {
    expect(CASES.map(({ requests }) => requests.length)).toEqual(CASES.map(() => 1));
    const served = CASES.flatMap(({ requests }) => requests.map(({ id }) => id));
    expect(served).toEqual(CREATION_REQUESTS.map(({ id }) => id));
  });

  it.each(CASES)("have the faults that they are said to have: $script.about", async (given) => {
    const { script, requests } = given;
    const [request] = requests;
    if (!request) throw new Error("no request");
    const library = await libraryOf(request);
    const readings = script.drafts
      .filter(({ reply }) => !reply.startsWith("USE:"))
      .map((draft) => ({ draft, reading: read(draft, script, library) }));
    for (const { draft, reading } of readings) {
      expect([draft.reply, await faultOf(reading, library)]).toEqual([draft.reply, draft.fault]);
    }
    const last = readings.at(-1)?.reading;
    const failing = last?.ok ? await failingOf({ tool: last.tool, request, library }) : [];
    // A draft that fails its own examples has a fault, not a flaw.
    const isDone = script.drafts.at(-1)?.fault === undefined;
    expect({ flaw: isDone && failing.length > 0, failing }).toMatchObject({
      flaw: script.flaw !== undefined,
    });
  });

  it("have two flaws that only hidden checks find, and one tool that is never made", () => {
    expect(WRITER_SCRIPTS.filter(({ flaw }) => flaw !== undefined)).toHaveLength(2);
    const hopeless = WRITER_SCRIPTS.filter(({ drafts }) => drafts.every(({ fault }) => fault));
    // The other one is the impossible tool.
    expect(hopeless).toHaveLength(2);
  });
});
