import { resolve } from "node:path";
import { Command } from "commander";
import { evaluateCreation } from "../../eval/creation/evaluateCreation.js";
import { creationFigures } from "../../eval/creation/creationFigures.js";
import type { CreationRecord } from "../../eval/creation/creationRecord.js";
import {
  modelLine,
  requestsTable,
  totalLines,
  writeCreationReport,
} from "../../eval/creation/creationReport.js";
import type { CreationRequest } from "../../eval/creation/creationRequests.js";
import { chooseRequests } from "../../eval/creation/creationRequests.js";
import type { CreationSettings } from "../../eval/creation/runRequest.js";
import { parseContext } from "../../state/context.js";
import { examples } from "../helpExamples.js";
import { EXIT, type Exit } from "../exit.js";
import { toList } from "../options.js";
import { untilCancelled } from "../untilCancelled.js";
import { commandText, GO_ON, printReport } from "./experiments.js";

interface CreationOptions {
  model?: string;
  out: string;
  requests?: string[];
  embeddings?: string;
  json?: boolean;
}

/** `tulipgraph eval creation` */
export function creationCommand(exit: Exit): Command {
  return new Command("creation")
    .description("Measure how well a model creates tools: 20 requests with hidden checks")
    .requiredOption(
      "--out <folder>",
      "folder for records and report; the same command continues an unfinished one",
    )
    .option(
      "--model <provider:name>",
      "chat model; simulated:writer is a script with fixed mistakes",
    )
    .option("--requests <a,b>", "only these requests", toList)
    .option("--embeddings <provider:name>", "embedding model")
    .option("--json", "print the figures as JSON and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval creation --model openai:gpt-4.1-mini --out results/creation",
        "tulipgraph eval creation --model simulated:writer --out results/writer --requests slug,weekday",
      ]),
    )
    .action(async (options: CreationOptions) => {
      exit(await evalCreation(options));
    });
}

async function evalCreation(options: CreationOptions): Promise<number> {
  const requests = chooseRequests(options.requests);
  const { model, embeddings } = parseContext({
    model: options.model,
    embeddings: options.embeddings,
  });
  const settings = { model, embeddings };
  const folder = resolve(options.out);
  // Printed first, in case the run fails; with --json, stdout gets nothing but JSON.
  (options.json ? process.stderr : process.stdout).write(`${modelLine({ model })}\n\n`);
  const records = await madeRecords({ folder, requests, settings });
  if (!records) {
    process.stderr.write(`cancelled; ${GO_ON}\n`);
    return EXIT.cancelled;
  }
  const figures = creationFigures(
    records.flatMap((record) => {
      const request = requests.find(({ id }) => id === record.request);
      return request ? { request, record } : [];
    }),
  );
  const { out, json } = options;
  const command = commandText("creation", { ...settings, out, requests: options.requests });
  printReport({
    figures,
    json,
    table: requestsTable(figures),
    shown: ({ text, note }) => (note === undefined ? text : `${text} (${note})`),
    totals: totalLines(figures),
    files: [writeCreationReport({ folder, figures, command })],
  });
  return figures.rows.some(({ outcome }) => outcome === "broke off") ? EXIT.notSolved : EXIT.done;
}

/** Undefined if Ctrl-C ended it. */
async function madeRecords(options: {
  folder: string;
  requests: readonly CreationRequest[];
  settings: CreationSettings;
}): Promise<CreationRecord[] | undefined> {
  return await untilCancelled(async (signal) => {
    try {
      return await evaluateCreation({ ...options, signal, onDone: reportDone });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

function reportDone({ request, error }: CreationRecord): void {
  process.stderr.write(`${request}: ${error === undefined ? "done" : `broke off: ${error}`}\n`);
}
