import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Embeddings } from "@langchain/core/embeddings";
import type { DataPlace } from "../../../storage/database.js";
import { type EditNote, GENERATED_ORIGIN } from "../../../tools/library/records/edits.js";
import {
  type LibraryRequest,
  type LibraryStore,
  openLibraryStore,
} from "../../../tools/library/store.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";

/**
 * Data folders and stores of one test, removed together.
 *
 * @param newPlace gives each home a database; without it, the data are in SQLite files
 */
export function workshop(newPlace?: () => Promise<DataPlace>) {
  const homes: string[] = [];
  const stores: LibraryStore[] = [];
  const places = new Map<string, Promise<DataPlace>>();
  const newHome = () => {
    const home = mkdtempSync(join(tmpdir(), "library-"));
    homes.push(home);
    return home;
  };
  const openStore = async (home = newHome()) => {
    const place = places.get(home) ?? newPlace?.() ?? Promise.resolve({ home });
    places.set(home, place);
    const store = openLibraryStore({ ...(await place), home });
    stores.push(store);
    return store;
  };
  return {
    newHome,
    openStore,
    /** Opens a library through a store of its own, as another process would. */
    openLibrary: async ({ home, ...request }: { home?: string } & Partial<LibraryRequest> = {}) => {
      const store = await openStore(home);
      return await store.open({
        name: "tools",
        embeddings: wordEmbeddings(),
        embeddingModel: "fake:words",
        create: true,
        ...request,
      });
    },
    clear: async () => {
      for (const store of stores.splice(0)) await store.close();
      for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A tool with an id and anything else that a test needs. */
export function tool(id: string, details: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    id,
    name: id,
    description: `Does what ${id} does.`,
    parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    source: {
      kind: "function",
      file: "tools.ts",
      exportName: id,
      callStyle: "positional",
      parameterNames: ["a"],
      takesContext: false,
    },
    effects: "read",
    ...details,
  };
}

/** A tool as a model writes it; by default, its text contains its id. */
export function generated(
  id: string,
  {
    description = `Does what ${id} does.`,
    calls = [],
  }: { description?: string; calls?: string[] } = {},
): ToolDefinition {
  const code = `/** ${description} */\nexport function ${id}(a: number): number { return a; }`;
  return tool(id, {
    description,
    source: {
      kind: "generated",
      file: GENERATED_ORIGIN,
      code,
      program: `function ${id}(a) { return a; }`,
      exportName: id,
      parameterNames: ["a"],
      calls,
      checks: [
        { args: { a: 4 }, expects: { kind: "value", value: 4 } },
        { args: { a: "x" }, expects: { kind: "throws" } },
      ],
    },
  });
}

/** A note of a model's edit. */
export function note(why: string, details: Partial<EditNote> = {}): EditNote {
  return { by: "fake:model", why, ...details };
}

/** A tool whose embedding, with `vectorEmbeddings`, is the given vector scaled to unit length. */
export function toolAt(id: string, vector: number[]): ToolDefinition {
  return tool(id, { description: JSON.stringify(vector) });
}

/** An embedding model for texts that contain their vector: everything from the first bracket on is JSON. */
export function vectorEmbeddings(): Embeddings {
  return new SpelledVectors({});
}

class SpelledVectors extends Embeddings {
  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => JSON.parse(text.slice(text.indexOf("["))) as number[]);
  }

  async embedQuery(text: string): Promise<number[]> {
    return JSON.parse(text) as number[];
  }
}
