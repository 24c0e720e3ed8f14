import { afterEach, expect, it } from "vitest";
import { absentTool } from "../../../tools/library/search/absentTool.js";
import { libraryOfPerson, offeredForm } from "../../../tools/library/libraryOfPerson.js";
import { tool, workshop } from "./support.js";

const { openLibrary, clear } = workshop();
afterEach(clear);

const ofOffice = (name: string) =>
  tool(`office.${name}`, {
    name,
    description: `Handle a ${name}.`,
    source: { kind: "mcp", file: "mcp:office", server: "office", tool: name },
  });

const [note, letter, stamp] = [ofOffice("note"), ofOffice("letter"), ofOffice("stamp")];
const own = tool("handle_note", { description: "Handle a note." });

/** A library as somebody sees it to whom the office offers notes, and letters in another form. */
async function seen() {
  const base = await openLibrary();
  const tools = [note, letter, stamp];
  await base.sync({ origin: "mcp:office", fingerprint: "1", tools });
  await base.sync({ origin: "tools.ts", fingerprint: "1", tools: [own] });
  const other = { ...letter, description: "Handle a letter, and keep it." };
  const forms = { [note.id]: offeredForm(note), [letter.id]: offeredForm(other) };
  return { base, library: libraryOfPerson(base, new Map([["office", forms]])) };
}

it("what a source does not offer a person as accepted is not in the library that they see", async () => {
  const { base, library } = await seen();
  expect(library.list().map(({ id }) => id)).toEqual([note.id, own.id]);
  expect([library.size, base.size]).toEqual([2, 4]);
  expect([...library.pick([note.id, stamp.id]).keys()]).toEqual([note.id]);
  expect(library.groups().list).toMatchObject([{ name: "office", size: 1 }]);
  expect(absentTool(library, stamp.id).message).toContain(
    '"office.stamp" is not among the tools that office offers you',
  );
});

it("a search finds as many others as it would without what is withheld", async () => {
  const { base, library } = await seen();
  const question = { phrases: ["handle a letter"], topK: 2, threshold: 4 };
  const ids = async (searched: typeof base) =>
    (await searched.search(question)).results[0]?.hits.map(({ id }) => id);
  expect(await ids(base)).toContain(letter.id);
  expect((await ids(library))?.toSorted()).toEqual([own.id, note.id].toSorted());
});
