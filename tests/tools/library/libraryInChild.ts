/**
 * What the tests of several processes start: `loaded` prints which native libraries are loaded after a library was
 * opened and listed; `work` syncs an origin of its own over and over, with a search after each sync, and exits with 0
 * if every search found what it should; `embed` searches with another model, which kills the process at the third call;
 * `save` writes an index of 8 MB and prints the code of the error.
 */
import { openLibraryStore } from "../../../tools/library/store.js";
import { SafeFaissStore } from "../../../tools/library/vectors/faissStore.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { tool } from "./support.js";

const [command, home = "", origin = "", rounds = "1"] = process.argv.slice(2);
const store = openLibraryStore({ home });
const library = await store.open({
  name: "tools",
  embeddings: wordEmbeddings(),
  embeddingModel: "fake:words",
  create: true,
});
if (command === "loaded") {
  library.list();
  const report = process.report.getReport() as unknown as { sharedObjects: string[] };
  process.stdout.write(report.sharedObjects.join("\n"));
} else if (command === "embed") {
  await embedOtherwise();
} else if (command === "save") {
  await saveLarge();
} else {
  await work();
}
await store.close();

async function work(): Promise<void> {
  for (let round = 1; round <= Number(rounds); round += 1) {
    const tools = [tool(`${origin}_always`), tool(`${origin}_${round}`)];
    await library.sync({ origin, fingerprint: String(round), tools });
    const { results } = await library.search({ phrases: [`${origin} always`], topK: 1 });
    if (results[0]?.hits[0]?.id !== `${origin}_always`) process.exitCode = 1;
    process.stdout.write(`${round}\n`);
  }
}

async function embedOtherwise(): Promise<void> {
  const embeddings = wordEmbeddings({ dimensions: 4096 });
  const embed = embeddings.embedDocuments.bind(embeddings);
  embeddings.embedDocuments = async (texts) => {
    // The phrase and two batches of tools have been embedded by then.
    if (embeddings.calls.length === 3) process.kill(process.pid, "SIGKILL");
    return await embed(texts);
  };
  const other = await store.open({ name: "tools", embeddings, embeddingModel: "fake:other" });
  await other.search({ phrases: ["anything"], topK: 1 });
}

async function saveLarge(): Promise<void> {
  const index = new SafeFaissStore(wordEmbeddings());
  const vectors = Array.from({ length: 2_000 }, (_, at) => Array<number>(1_024).fill(at));
  const documents = vectors.map((_, at) => ({ pageContent: `${at}`, metadata: {}, id: `${at}` }));
  await index.addVectors(vectors, documents);
  const code = await index.save(home).then(
    () => "saved",
    (error: NodeJS.ErrnoException) => error.code,
  );
  process.stdout.write(`${code}`);
}
