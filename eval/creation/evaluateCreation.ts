import { inHome } from "../../workspace/home.js";
import { parseContext } from "../../state/context.js";
import { packageVersion } from "../../storage/packageRoot.js";
import { ExperimentFailed } from "../runs/experimentFailed.js";
import { homeIn } from "../runs/experimentFolder.js";
import { openLocked } from "../runs/lock.js";
import { requireModels } from "../runs/prepare.js";
import { appendLine, dropTornLine, readLines } from "../runs/recordFile.js";
import { sharedPauses } from "../runs/runTask.js";
import { registerSimulated } from "../simulated/provider.js";
import { type CreationRecord, creationRecordSchema } from "./creationRecord.js";
import type { CreationRequest } from "./creationRequests.js";
import { type CreationSettings, hashOf, runRequest } from "./runRequest.js";

/** An evaluation of how well a model creates tools. */
export interface CreationEvaluation {
  folder: string;
  requests: readonly CreationRequest[];
  settings: CreationSettings;
  signal: AbortSignal;
  /** Called after each request. */
  onDone: (record: CreationRecord) => void;
}

const RECORDS = "creation.jsonl";

/** This many requests in a row that break off end the evaluation: the model is out of reach. */
const MOST_BROKEN = 3;

/**
 * Makes all requests that have no result in the folder, one after another. Those that broke off before are made
 * again.
 *
 * @returns the record that counts for each request, in the order of the requests
 * @throws ModelFailed, UnknownName if a model cannot be used
 * @throws ExperimentFailed if the folder holds another evaluation, another process is working there, or one
 * request after another breaks off
 * @throws the reason of the signal when that is aborted
 */
export async function evaluateCreation(options: CreationEvaluation): Promise<CreationRecord[]> {
  const { folder, requests, settings } = options;
  registerSimulated();
  await requireModels(parseContext({ ...settings }));
  const file = { folder, name: RECORDS, schema: creationRecordSchema };
  const results = openLocked(folder, () => {
    dropTornLine(file);
    const records = readLines(file);
    return { records, append: (record: CreationRecord) => appendLine(file, record) };
  });
  try {
    requireSame({ folder, requests, settings, records: results.records });
    return await inHome(homeIn(folder), () => makeRequests(options, results));
  } finally {
    results.close();
  }
}

async function makeRequests(
  { folder, requests, settings, signal, onDone }: CreationEvaluation,
  {
    records,
    append,
  }: { records: readonly CreationRecord[]; append: (record: CreationRecord) => void },
): Promise<CreationRecord[]> {
  const latest = new Map(records.map((record) => [record.request, record]));
  const pauses = sharedPauses();
  let broken = 0;
  for (const request of requests) {
    const before = latest.get(request.id);
    if (before && before.error === undefined) continue;
    const attempt = (before?.attempt ?? 0) + 1;
    // A signal of its own for each request, because libraries leave listeners on it.
    const own = AbortSignal.any([signal]);
    const record = await runRequest({ request, settings, attempt, pauses, signal: own });
    append(record);
    latest.set(request.id, record);
    onDone(record);
    broken = record.error === undefined ? 0 : broken + 1;
    if (broken === MOST_BROKEN) throw outOfReach(folder, record);
  }
  return requests.flatMap(({ id }) => latest.get(id) ?? []);
}

function outOfReach(folder: string, { error }: CreationRecord): ExperimentFailed {
  return new ExperimentFailed({
    folder,
    problem: `${MOST_BROKEN} requests in a row broke off: ${error}`,
    hint: "Fix it, and the same command goes on where it stopped",
  });
}

/** @throws ExperimentFailed if there are lines of another model, other requests or another version */
function requireSame(options: {
  folder: string;
  requests: readonly CreationRequest[];
  settings: CreationSettings;
  records: readonly CreationRecord[];
}): void {
  const { folder, requests, settings, records } = options;
  const version = packageVersion();
  const hashes = new Map(requests.map((request) => [request.id, hashOf(request)]));
  for (const record of records) {
    const isSame =
      record.model === settings.model &&
      record.embeddings === settings.embeddings &&
      record.version === version &&
      record.requestHash === (hashes.get(record.request) ?? record.requestHash);
    if (!isSame) throw anotherEvaluation(folder, record);
  }
}

function anotherEvaluation(folder: string, record: CreationRecord): ExperimentFailed {
  const { request, model, embeddings, version } = record;
  return new ExperimentFailed({
    folder,
    problem: `holds the request ${request} as made by ${model} with ${embeddings} in version ${version}, which is not what was asked for now`,
    hint: "Choose another --out, or give the same options to go on",
  });
}
