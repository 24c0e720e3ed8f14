import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { ExperimentDefinition } from "../../eval/runs/experiment.js";
import type { PreparedExperiment } from "../../eval/runs/prepare.js";
import { InvalidSetting } from "../../common/errors.js";
import { importExperience } from "../../memory/experienceFile.js";
import type { PastCall } from "../../memory/experience.js";
import { problemLines } from "../learning/memory.js";

/** An experiment whose runs start with past calls that do not come with the benchmark. */
interface ExperiencedDefinition extends ExperimentDefinition {
  /** SHA-256 of the file with the calls, since other calls make another experiment. */
  experience: string;
}

/**
 * The experiment with the past calls of a file instead of those of its benchmark. They count for the experiment's
 * tools, whatever library they were made with. Unusable lines are reported on stderr and skipped.
 *
 * @throws InvalidSetting if the file does not exist or holds no usable line
 */
export async function withExperience(
  prepared: PreparedExperiment,
  file: string,
): Promise<PreparedExperiment> {
  const { benchmark, definition } = prepared;
  const pastCalls = await readPastCalls(file, benchmark);
  const experience = (library: string) =>
    pastCalls.map((pastCall) => ({ ...pastCall, id: `${library}/${pastCall.id}`, library }));
  const experienced: ExperiencedDefinition = { ...definition, experience: await hashOf(file) };
  return { ...prepared, benchmark: { ...benchmark, experience }, definition: experienced };
}

async function readPastCalls(
  file: string,
  { name: library, tools }: PreparedExperiment["benchmark"],
): Promise<PastCall[]> {
  const ids = new Set(tools.map(({ id }) => id));
  const pastCalls: PastCall[] = [];
  const report = await importExperience({
    file,
    library,
    tools: async () => ids,
    store: {
      add: async (batch) => {
        pastCalls.push(...batch);
        return { added: batch.length, known: 0 };
      },
    },
  });
  if (pastCalls.length === 0) {
    throw new InvalidSetting({
      setting: "--experience",
      problem: `${file} holds no call of a tool of the benchmark`,
      hint: problemLines(report)[0] ?? "Write one call as JSON on each line",
    });
  }
  for (const line of problemLines(report)) process.stderr.write(`${file}:${line}\n`);
  return pastCalls;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
