import { createReadStream } from "node:fs";
import { modelFailure } from "./failures.js";
import { requireKey } from "./keys.js";
import { openAiPackage } from "./packages.js";

/** A service that trains models. */
export interface FineTuning {
  /**
   * Uploads a set and starts the training.
   *
   * @param options.file JSONL file in OpenAI's format
   * @returns the id of the job
   * @throws ModelFailed when OpenAI cannot be reached or refuses
   */
  submit: (options: { file: string; seed: number }) => Promise<string>;
}

/**
 * Opens fine-tuning at OpenAI, or at the endpoint that OPENAI_BASE_URL names.
 *
 * @param options.model the model to start from, as OpenAI calls it
 * @throws ModelFailed when no key is set
 */
export async function openFineTuning({ model }: { model: string }): Promise<FineTuning> {
  const spec = `openai:${model}`;
  const apiKey = requireKey({
    spec,
    key: "OPENAI_API_KEY",
    baseUrl: "OPENAI_BASE_URL",
    keyless: "train export without --submit",
  });
  const { OpenAIClient } = await openAiPackage(spec);
  // The client's own log would clutter our one-line errors.
  const client = new OpenAIClient({ ...(apiKey ? { apiKey } : {}), logLevel: "off" });
  return {
    submit: async ({ file, seed }) => {
      try {
        const uploaded = await client.files.create({
          file: createReadStream(file),
          purpose: "fine-tune",
        });
        const job = await client.fineTuning.jobs.create({
          model,
          training_file: uploaded.id,
          seed,
        });
        return job.id;
      } catch (error) {
        throw modelFailure({ spec, error });
      }
    },
  };
}
