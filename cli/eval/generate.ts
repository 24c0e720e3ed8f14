import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { InvalidSetting } from "../../common/errors.js";
import { givenFields } from "../../common/givenFields.js";
import { several } from "../../common/text.js";
import { requireWritable, writeWhole } from "../../storage/files.js";
import { generateTasks } from "../../eval/generation/generateTasks.js";
import { OFFLINE_MODEL, parseSettings } from "../../state/settings.js";
import type { CommandForm } from "../command.js";
import { toCountWithin, toWhole, withModel } from "../options.js";
import { EXIT } from "../exit.js";
import { printJson } from "../printing/print.js";
import { makeCall } from "../tools/callTool.js";
import { openLibrary } from "../tools/openLibrary.js";

interface GenerateOptions {
  library?: string;
  model?: string;
  count: number;
  seed: number;
  out: string;
  json?: boolean;
}

/** Each is worded, planned and criticised by a model, and is compared with all before it. */
const MOST_TASKS = 10_000;

/** `tulipgraph eval generate` */
export const GENERATE: CommandForm = {
  about:
    "Make tasks for a library that has none: a model words requests in the manner of different people, plans and criticises them. Plans are checked by type, and those that only read are tried",
  options: {
    "--out <file.jsonl>": { text: "JSONL file to write", isRequired: true },
    "--count <n>": { text: "tasks to make", read: toCountWithin(MOST_TASKS), usual: 50 },
    "--model <provider:name>": "the model that writes them",
    "--seed <n>": {
      text: "seed of the tools and people that tasks are about",
      read: toWhole,
      usual: 1,
    },
  },
  examples: [
    "tulipgraph eval generate --library shop --count 50 --model openai:gpt-4.1-mini --out tasks.jsonl",
  ],
  run: generateFor,
};

async function generateFor({
  library: name,
  model,
  count,
  seed,
  out,
  json,
}: GenerateOptions): Promise<number> {
  requireWritable(out);
  const { settings: given, modelWhy } = await withModel(givenFields({ library: name, model }));
  const settings = parseSettings(given);
  if (settings.model === OFFLINE_MODEL) {
    const why = modelWhy === undefined ? "" : `; ${modelWhy}`;
    throw new InvalidSetting({
      setting: "--model",
      problem: `${OFFLINE_MODEL} is a set of rules, which cannot word requests${why}`,
      hint: "Name a language model, such as openai:gpt-4.1-mini (tulipgraph models lists what can be used)",
    });
  }
  const library = await openLibrary(settings);
  const dropped: string[] = [];
  const tasks = generateTasks({
    tools: library.list(),
    settings: { library: settings.library, model: settings.model, embeddings: settings.embeddings },
    count,
    seed,
    trial: async (tool, args) => {
      const threadId = `generate-${randomUUID()}`;
      const outcome = await makeCall({ threadId, tool, args, settings, library });
      if (outcome.status !== "done") throw new Error(outcome.error ?? outcome.status);
      return outcome.result;
    },
    onDropped: (why) => dropped.push(why),
  });
  writeWhole(out, "");
  let made = 0;
  for await (const task of tasks) {
    appendFileSync(out, `${JSON.stringify(task)}\n`);
    made += 1;
    process.stderr.write(`${made}/${count}: ${task.query}\n`);
  }
  if (json) printJson({ library: settings.library, made, dropped, file: out });
  else {
    process.stdout.write(`${several(made, "task")} in ${out}; ${dropped.length} dropped\n`);
    for (const why of new Set(dropped)) process.stdout.write(`  ${why}\n`);
  }
  return made === count ? EXIT.done : EXIT.notSolved;
}
