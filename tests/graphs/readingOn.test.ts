import { expect, it } from "vitest";
import { useClaims } from "./claimRuns.js";
import { program, programRun, stagesOf } from "./tulipRuns.js";

const { settings } = useClaims("house");

/** A run whose first program reads a part; what it writes when told. */
async function toldOnce(request: string, first: string[], second: string[]) {
  const run = programRun({
    request,
    settings,
    script: ({ stage, input }) => {
      if (stage !== "writeProgram") return { stop: "I do not know.", solved: false };
      return program(...("failed" in input && input.failed ? second : first));
    },
  });
  const { state } = await run.start();
  const told = run.model.questions.flatMap(({ messages }) => messages.map(({ text }) => text));
  return { state, stages: stagesOf(run.model), told: told.join("\n") };
}

it("has a program that counts a page read all pages, told once by which field it goes on", async () => {
  const { state, stages, told } = await toldOnce(
    "How many tickets are there?",
    ["const t = await list_tickets({});", "return `${t.tickets.length} tickets.`;"],
    [
      "let all = [];",
      "let token;",
      "do {",
      "  const t = await list_tickets({ pageToken: token ?? '' });",
      "  all = [...all, ...t.tickets];",
      "  token = t.nextPageToken;",
      "} while (token);",
      "return `${all.length} tickets.`;",
    ],
  );
  expect(state).toMatchObject({ status: "solved", answer: "5 tickets." });
  expect(stages).toEqual(["writeProgram", "writeProgram"]);
  expect(told).toContain("pass its nextPageToken as pageToken");
  expect(state.deeds?.read.found.at(-1)).not.toHaveProperty("but");
});

it("has an offset raised where a result only says that there is more", async () => {
  const { state, told } = await toldOnce(
    "How many mails are about rent?",
    ['const m = await search_mail({ query: "rent" });', "return `${m.messages.length} mails.`;"],
    [
      "let count = 0;",
      "while (true) {",
      '  const m = await search_mail({ query: "rent", offset: count });',
      "  count += m.messages.length;",
      "  if (!m.hasMore) break;",
      "}",
      "return `${count} mails.`;",
    ],
  );
  expect(state).toMatchObject({ status: "solved", answer: "5 mails." });
  expect(told).toContain("set offset to how many");
});

it("tells a program once only, and then says what is missing", async () => {
  const code = ["const t = await list_tickets({});", "return `${t.tickets.length} tickets.`;"];
  const { state, stages } = await toldOnce("How many tickets are there?", code, code);
  expect(stages.filter((stage) => stage === "writeProgram")).toHaveLength(2);
  expect(state.status).toBe("unsolved");
});

it("does not have more pages read than a plan may call, and says what a part it was", async () => {
  const code = ["const r = await list_rooms({});", "return `${r.data.length} rooms in all.`;"];
  const { state, stages } = await toldOnce("List all rooms", code, code);
  expect(stages.filter((stage) => stage === "writeProgram")).toHaveLength(1);
  expect(state.status).toBe("unsolved");
  expect(state.deeds?.read.found[0]?.but).toBe("3 of 900");
});

it("asks nothing more where a listing gives no way on", async () => {
  const code = [
    'const f = await list_files({ folder: "archive" });',
    "return `${f.files.length} files in all.`;",
  ];
  const { stages } = await toldOnce("How many files are in archive?", code, code);
  expect(stages.filter((stage) => stage === "writeProgram")).toHaveLength(1);
});

it("has a program that tells the characters of a listing as its number of items count these", async () => {
  const { state, stages, told } = await toldOnce(
    "What is in the folder notes?",
    [
      'const folder = await describe_folder({ path: "notes" });',
      "return `There are ${folder.length} files.`;",
    ],
    [
      'const folder = await describe_folder({ path: "notes" });',
      'return `There are ${folder.split("\\n").length} files.`;',
    ],
  );
  expect(state).toMatchObject({ status: "solved", answer: "There are 3 files." });
  expect(stages).toEqual(["writeProgram", "writeProgram"]);
  expect(told).toContain("number of characters");
});

it("does not call such a number solved if the program keeps to it", async () => {
  const code = [
    'const folder = await describe_folder({ path: "notes" });',
    "return `There are ${folder.length} files.`;",
  ];
  const { state } = await toldOnce("What is in the folder notes?", code, code);
  expect(state.status).toBe("unsolved");
});

it("lets a length stand that was asked for", async () => {
  const code = [
    'const folder = await describe_folder({ path: "notes" });',
    "return `The text has ${folder.length} characters.`;",
  ];
  const { state, stages } = await toldOnce("How long is the text about notes?", code, code);
  expect(state.status).toBe("solved");
  expect(stages).toEqual(["writeProgram"]);
});

it.each([
  ["What do you know about T-1?", "`I know about ${t.tickets[0].id}.`", false],
  ["Which comes first, T-1 or T-2?", "`${t.tickets[0].id}`", true],
  ["What do you know about T-1?", "`T-1 takes ${t.tickets[0].minutes} minutes.`", true],
])("puts an answer into words that says no more than the request: %s %s", async (...row) => {
  const [request, answer, isAnswer] = row;
  const { stages } = await toldOnce(
    request,
    ["const t = await list_tickets({});", `return ${answer};`],
    [],
  );
  expect(stages.length === 1).toBe(isAnswer);
});
