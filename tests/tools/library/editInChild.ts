/**
 * What the tests of edits by several processes start, with a home and what to do:
 *
 * `rival NAME` does what its parent says, so that rivals can be brought to the same point: "read" reads the tool
 * `shared`, "edit" puts a version based on what was read and reports the outcome.
 * `versions` puts one version of `shared` after the other, with a search after every third, forever.
 * `put` puts one version and then waits to be killed. `embedding` and `rename` put one and search; the process is
 * killed when the text is embedded, or when the new index is about to be renamed.
 */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { EditConflict } from "../../../common/errors.js";
import { openLibraryStore } from "../../../tools/library/store.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { generated, note } from "./support.js";

const [home = "", command = "", name = ""] = process.argv.slice(2);
if (command === "rename") {
  fs.rename = die;
  syncBuiltinESMExports();
}
const embeddings = wordEmbeddings();
if (command === "embedding") embeddings.embedDocuments = die;
const store = openLibraryStore({ home });
const library = await store.open({
  name: "tools",
  embeddings,
  embeddingModel: "fake:words",
  create: true,
});
if (command === "rival") obey();
else if (command === "versions") await putVersions();
else await putOne();

function obey(): void {
  let seen: number | null = null;
  process.on("message", async (order) => {
    if (order === "read") {
      seen = library.get("shared")?.version ?? null;
      process.send?.("read");
    } else if (order === "edit") {
      void putAs(name, seen).then((outcome) => process.send?.(outcome));
    } else {
      process.disconnect();
      await store.close();
    }
  });
}

async function putAs(by: string, basedOn: number | null): Promise<string> {
  const tool = generated("shared", { description: `Version of ${by} after ${basedOn}.` });
  try {
    const { version } = await library.put({ tool, basedOn, note: note("race", { by }) });
    return `${by} made ${version}`;
  } catch (error) {
    if (error instanceof EditConflict) return `conflict with ${error.details.found}`;
    throw error;
  }
}

async function putVersions(): Promise<void> {
  while (true) {
    const basedOn = library.get("shared")?.version ?? null;
    process.stdout.write(`${await putAs("writer", basedOn)}\n`);
    if ((basedOn ?? 0) % 3 === 0) await library.search({ phrases: ["shared"], topK: 1 });
  }
}

async function putOne(): Promise<void> {
  const basedOn = library.get("shared")?.version ?? null;
  process.stdout.write(`${await putAs("only", basedOn)}\n`);
  if (command === "put") setInterval(() => undefined, 1000);
  else await library.search({ phrases: ["shared"], topK: 1 });
}

async function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return await new Promise<never>(() => undefined);
}
