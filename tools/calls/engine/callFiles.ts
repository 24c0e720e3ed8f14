import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../tool.js";
import { fileNames, isFileName } from "../../../common/fileNames.js";
import { MOST_FILE_BYTES } from "../journal/threadFiles.js";
import type { RemoteCall } from "../../remote.js";
import { withTexts } from "./callArguments.js";

/** A call with arguments that may name files of its thread. */
interface CallWithFiles {
  record: Pick<ToolRecord, "parameters">;
  args: Record<string, unknown>;
  threadId: string;
  files: RemoteCall["files"];
  /** Whether the tool runs on this machine. */
  isHere: boolean;
  /** What a tool elsewhere takes for a file, if its name means nothing to it. */
  asFile?: (name: string, data: Buffer) => unknown;
}

/**
 * Does the work of a call with what its tool takes for each file that an argument names: the contents where its schema
 * asks for base64, else a path, if the tool runs here. The path is good until the work ends: nothing of a file stays on a
 * server. A name that means nothing to the thread stays as it is.
 */
export async function withFiles<Result>(
  { record, args, threadId, files, isHere, asFile }: CallWithFiles,
  work: (args: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  const named = await files.files(threadId, fileNames(JSON.stringify(args)));
  if (named.length === 0) return await work(args);
  const contents = new Map(named.map(({ name, data }) => [name, data]));
  const folder = isHere ? await mkdtemp(join(tmpdir(), "tulipgraph-")) : undefined;
  try {
    for (const { name, data } of folder ? named : [])
      await writeFile(join(folder ?? "", basename(name)), data);
    const { parameters } = record;
    const given = withTexts(args, parameters, (text, schema) => {
      const data = isFileName(text) ? contents.get(text) : undefined;
      if (data && takesBase64(schema)) return data.toString("base64");
      if (data && asFile) return asFile(text, data);
      return data && folder ? join(folder, basename(text)) : text;
    });
    return await work(given as typeof args);
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

function takesBase64({ contentEncoding, format }: JsonSchema): boolean {
  return contentEncoding === "base64" || format === "byte" || format === "base64";
}

/** Keeps a file that a tool has sent, and gives what stands for it in the result. */
export type Keep = (file: { data: Buffer; mimeType?: string }) => Promise<Record<string, unknown>>;

const NO_ROOM = `not kept: a thread has room for ${MOST_FILE_BYTES / 1_000_000} MB of files`;

/**
 * Keeps the files of a call's result.
 *
 * @example
 * // { "mimeType": "image/png", "bytes": 5012, "file": "received/3f….png" }
 */
export function keeping({ threadId, files }: Pick<CallWithFiles, "threadId" | "files">): Keep {
  return async ({ data, mimeType }) => {
    const file = await files.keepFile({ threadId, data, mimeType });
    const about = { ...(mimeType && { mimeType }), bytes: data.length };
    return { ...about, ...(file === undefined ? { problem: NO_ROOM } : { file }) };
  };
}
