import { beforeAll, describe, expect, it } from "vitest";
import { syncConnected } from "../../home/connectedSources.js";
import { openWorkspace } from "../../home/workspace.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import type { Question, Reply } from "../fakes/scriptedModel.js";
import { program, programRun } from "./tulipRuns.js";

/** A request, the tool that would do it, how a model denies that there is one, and in what form. */
const REQUESTS: [request: string, tool: string, denial: string, form: keyof typeof FORMS][] = [
  ["Close the ticket T-4", "close_ticket", "There is no function to close a ticket.", "stop"],
  ["Send a fax to Lena", "send_fax", "No tool can send a fax.", "needless"],
  ["Buche den Raum Aurora", "book_room", "Es gibt keine Funktion, um Räume zu buchen.", "stop"],
  ["Print the report", "print_report", "There's no tool that prints a report.", "answer"],
  ["Exporte la liste", "export_list", "Aucun outil ne permet d'exporter la liste.", "stop"],
  ["Archive Orion", "archive_project", "I don't have a function for archiving.", "needless"],
  ["Renueva el contrato", "renew_contract", "No hay ninguna herramienta para contratos.", "stop"],
  ["Weigh parcel 12", "weigh_parcel", "The library lacks a weighing tool.", "answer"],
];

const FORMS = {
  stop: (text: string) => program(`stop(${JSON.stringify(text)});`),
  needless: (text: string) => program(`return noFunctionNeeded(${JSON.stringify(text)});`),
  answer: (text: string) => program(`return ${JSON.stringify(text)};`),
};

const NAMES = REQUESTS.map(([, tool]) => tool);

function tool(name: string, server: string): ToolDefinition {
  return {
    id: `${server}.${name}`,
    name,
    description: `${name.replaceAll("_", " ")}.`,
    parameters: { type: "object", properties: {} },
    source: { kind: "mcp", file: `mcp:${server}`, server, tool: name },
    effects: "write",
  };
}

/** Nobody listens there. */
const NOWHERE = { url: "http://127.0.0.1:9/mcp", headers: {} };

let library: string;

/** Lists the tools of a source that has the name of the library, unless another is named. */
async function list(names: readonly string[], settings: object = NOWHERE, server = library) {
  await syncConnected({
    store: openWorkspace().store,
    settings: { library, embeddings: TEST_LIBRARY.embeddings },
    source: { name: server, kind: "mcp", settings: { ...settings } },
    listing: { tools: names.map((name) => tool(name, server)), problems: [] },
  });
}

const others = (count: number, group: string) =>
  Array.from({ length: count }, (_, at) => `${group}_${String.fromCodePoint(97 + at)}_thing`);

/** How the tools of a library are away, and what the run says of it. */
const KINDS: Record<
  string,
  { named: string; setUp: () => Promise<object | void>; calls?: true; says: RegExp }
> = {
  "of a source that is down": {
    named: "down",
    setUp: async () => await list(NAMES),
    calls: true,
    says: /all of down: does not answer/,
  },
  "of a source that the person has not connected to": {
    named: "unconnected",
    setUp: async () => await list(NAMES, { ...NOWHERE, credentials: "caller" }),
    says: /all of unconnected: the user is not connected/,
  },
  "that nobody has reviewed": {
    named: "unreviewed",
    setUp: async () => {
      await list(["look"]);
      await list(["look", ...NAMES]);
    },
    says: /of unreviewed: withheld until a person has reviewed/,
  },
  "of a group that was shown in part": {
    named: "grouped",
    setUp: async () => {
      await list([...others(26, "sort"), ...NAMES]);
      return { contentsTokens: 30, topK: 2, primingTopK: 2 };
    },
    says: /other tools? .*not looked at/,
  },
  "behind a list of groups that was cut": {
    named: "cut",
    setUp: async () => {
      for (const group of others(26, "shop")) await list(["open_shop"], NOWHERE, group);
      await list(NAMES);
      return { contentsTokens: 30, topK: 2, primingTopK: 2 };
    },
    says: /other tools? of 27 groups were not looked at/,
  },
};

describe.each(Object.entries(KINDS))("tools %s", (_kind, { named, setUp, calls, says }) => {
  let settings: object | void;
  beforeAll(async () => {
    library = named;
    settings = await setUp();
  });

  it.each(REQUESTS)("are not denied: %s", async (request, wanted, denial, form) => {
    const call = program(`await ${library}.${wanted}({});`, "return `Done.`;");
    const script = ({ stage }: Question, at: number): Reply => {
      if (stage === "act") return { stop: denial, solved: form !== "stop" };
      return calls && at === 0 ? call : FORMS[form](denial);
    };
    const run = programRun({
      script,
      request,
      settings: { ...TEST_LIBRARY, library, ...settings },
    });
    const { state } = await run.start();
    expect(state.status).toBe("unsolved");
    expect(state.answer).toMatch(says);
    expect(state.answer).not.toContain(denial);
    const most = 2 + (calls ? 1 : 0) + (form === "answer" ? 2 : 0);
    expect(run.model.questions.length).toBeLessThanOrEqual(most);
  });
});

it("a program that denies what was not shown is asked once more, with what a search finds", async () => {
  library = "grouped";
  await KINDS["of a group that was shown in part"]?.setUp();
  const { model, start } = programRun({
    request: "T-4 is done",
    script: ({ stage }, at) => {
      if (stage === "act") return { stop: "It could not be closed.", solved: false };
      if (at === 0) return FORMS.stop("There is no function to close ticket T-4.");
      return program("await grouped.close_ticket({});", "return `T-4 is closed.`;");
    },
    settings: { ...TEST_LIBRARY, library, contentsTokens: 30, topK: 2, primingTopK: 2 },
  });
  const { state } = await start();
  const [first, second] = model.questions.map(({ messages }) =>
    messages.map(({ text }) => text).join("\n"),
  );
  expect(first).not.toContain("close_ticket");
  expect(second).toContain("close_ticket");
  expect(state.calls.map(({ tool }) => tool)).toContain("grouped.close_ticket");
});
