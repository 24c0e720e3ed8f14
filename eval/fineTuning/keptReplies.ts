import { appendFileSync, existsSync, rmSync } from "node:fs";
import { type FileKind, writeLines } from "../../memory/jsonLinesFile.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";

/** A model's reply to a question, kept so that the question is never asked twice. */
interface KeptReply {
  /** The same for the same question. */
  key: string;
  text: string;
}

/** Replies that are kept in a file until the work that needs them is done. */
export interface KeptReplies {
  find: (key: string) => string | undefined;
  isEmpty: () => boolean;
  /** On disk when it returns. */
  keep: (reply: KeptReply) => void;
  /** Removes the file. */
  clear: () => void;
}

const FILE_KIND: FileKind = {
  name: "file of replies",
  hint: "Remove it, or name another place for the set",
};

/**
 * Opens a file of replies, or creates one. An incomplete line, such as a killed process leaves, is dropped.
 *
 * @throws InvalidSetting if the file cannot be written
 */
export async function openKeptReplies(file: string): Promise<KeptReplies> {
  const kept = existsSync(file) ? await readReplies(file) : [];
  // Written at once: if replies cannot be kept, no question should be paid for.
  await writeLines({ file, kind: FILE_KIND, lines: kept.map(lineOf) });
  const known = new Map(kept.map(({ key, text }) => [key, text]));
  return {
    find: (key) => known.get(key),
    isEmpty: () => known.size === 0,
    keep: (reply) => {
      appendFileSync(file, `${lineOf(reply)}\n`);
      known.set(reply.key, reply.text);
    },
    clear: () => rmSync(file, { force: true }),
  };
}

async function readReplies(file: string): Promise<KeptReply[]> {
  const replies: KeptReply[] = [];
  for await (const line of readJsonLines(file)) {
    if (!("row" in line)) continue;
    const { key, text } = line.row;
    if (typeof key === "string" && typeof text === "string") replies.push({ key, text });
  }
  return replies;
}

function lineOf({ key, text }: KeptReply): string {
  return JSON.stringify({ key, text });
}
