/**
 * How many texts of tools a local embedding model embeds per CPU second.
 *
 *   npx tsx eval/experiments/encoderSpeed.ts --embeddings local:sentence-encoder,transformers:../shared/encoder
 *
 * The texts are those that a library embeds, in the same batches. CPU seconds are those of all threads of the process,
 * after the model has loaded and embedded one batch.
 */
import { join } from "node:path";
import { embedInBatches } from "../../common/longWork.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { toolText } from "../../tools/library/toolText.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { BENCH, optionsOf, presentSets, readLines, write } from "./scriptSupport.js";

const options = optionsOf({
  bench: BENCH,
  sets: "tulip_math,metatool,apibank,restbench,toolalpaca,workbench",
  embeddings: LOCAL_EMBEDDINGS,
});

const texts = presentSets(options).flatMap((set) =>
  readLines<ToolDefinition>(join(set, "tools.jsonl")).map(toolText),
);
const characters = texts.reduce((sum, { length }) => sum + length, 0);
write(`${texts.length} texts, ${(characters / texts.length).toFixed(0)} characters each`);
for (const spec of options.embeddings.split(",")) {
  const model = await openEmbeddings(spec);
  await model.embedDocuments(["a text that is no tool", "and another one"]);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await embedInBatches(texts, async (batch) => void (await model.embedDocuments(batch)));
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  const wall = (performance.now() - startedAt) / 1000;
  const rates = [cpu, wall].map((seconds) => (texts.length / seconds).toFixed(0));
  write(
    `${spec}: ${rates[0]} texts/CPU s (${cpu.toFixed(1)} s), ${rates[1]}/s (${wall.toFixed(1)} s)`,
  );
}
