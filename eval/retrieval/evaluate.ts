import { basename, join, resolve } from "node:path";
import { END, START, StateGraph } from "@langchain/langgraph";
import { memberOf } from "../../common/codeNames.js";
import { estimateTokens } from "../../common/tokens.js";
import { openWorkspace, type Workspace, WORKSPACE_KEY } from "../../home/workspace.js";
import { CachedEmbeddings } from "../../models/embeddings/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { search } from "../../nodes/finding/search.js";
import { promptOf } from "../../nodes/kit/question.js";
import { programOffer } from "../../nodes/programs/programFunctions.js";
import { programQuestion, type WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import { inputOf } from "../../nodes/programs/writeProgram.js";
import {
  OPENAI_MODEL,
  readSettings,
  settingsForm,
  type SettingsInput,
} from "../../state/settings.js";
import { FRESH_RUN, State } from "../../state/state.js";
import { sha256 } from "../../tools/library/records/hash.js";
import {
  embeddedText,
  type Ranking,
  RANKINGS,
  searchedText,
} from "../../tools/library/search/request.js";
import { openLibraryStore } from "../../tools/library/store.js";
import { toolText } from "../../tools/library/vectors/embedding.js";
import type { Selection } from "../benchmarks/selectTasks.js";
import { mean } from "../statistics/descriptive.js";
import { retrievalRows } from "./figures.js";
import { type Question, readRetrievalSet, type RetrievalSet, servingTools } from "./questions.js";

/** What to evaluate. */
export interface RetrievalOptions {
  toolsFile: string;
  queriesFile: string;
  /** Ranks for Recall@k, whole numbers from 1. */
  ks: readonly number[];
  /** Embedding model as "provider:name". */
  embeddings: string;
  selection: Selection;
  /** Whose first prompts are measured, as "provider:name"; a hosted model by default. */
  model?: string;
  /** The folder for the tool libraries, which keep the vectors of their tools. */
  home: string;
}

/** The result. */
export type RetrievalEvaluation = Awaited<ReturnType<typeof evaluateRetrieval>>;

/** Hits per search at least: the number of candidates. */
const LEAST_DEPTH = 100;

/**
 * Evaluates how well requests find their tools in the searches of graphs: by meaning, by words, and by both.
 *
 * @throws BenchmarkFailed, InvalidSetting, UnknownName for files and choices that cannot be used
 * @throws ModelFailed if the embedding model fails
 * @throws LibraryFailed, StorageFailed if data cannot be stored
 */
export async function evaluateRetrieval(options: RetrievalOptions) {
  const { toolsFile, queriesFile, ks, home, embeddings: named, model = OPENAI_MODEL } = options;
  const set = await readRetrievalSet(options);
  const { questions } = set;
  const depth = Math.max(LEAST_DEPTH, ...ks);
  const opened = await openEmbeddings(named);
  const embeddings = new CachedEmbeddings(opened, opened.name);
  const searched = await searchSet({ set, toolsFile, embeddings, model: opened.name, home, depth });
  const settings = { library: libraryName(toolsFile), embeddings: named, model };
  const workspace = openWorkspace({ home: join(home, "retrieval") });
  return {
    tools: { file: toolsFile, count: set.tools.length },
    /** Those `evaluated` are in the figures; those `leftOut` have no relevant tool. */
    queries: { file: queriesFile, evaluated: questions.length, leftOut: set.leftOut },
    embeddings: named,
    rows: RANKINGS.flatMap((method) =>
      retrievalRows({ method, questions, rankings: searched.rankings[method], ks }),
    ),
    /** What the first prompt of `tulip` tells. */
    prompts: await firstPrompts({ questions, workspace, settings }),
    embeddingTokens: searched.embeddingTokens,
    textsEmbedded: searched.embedded,
  };
}

/**
 * Ranks the tools for each question as an agent's search does. The library is kept below `home`, so that
 * another evaluation of the same file can reuse its index.
 */
async function searchSet(options: {
  set: RetrievalSet;
  toolsFile: string;
  embeddings: CachedEmbeddings;
  model: string;
  home: string;
  depth: number;
}) {
  const { set, toolsFile, embeddings, model, home, depth } = options;
  const documents = set.tools.map(toolText);
  const queries = set.questions.map(({ query }) => searchedText(query));
  const store = openLibraryStore({ home: join(home, "retrieval") });
  try {
    const name = libraryName(toolsFile);
    const library = await store.open({ name, embeddings, embeddingModel: model, create: true });
    const origin = resolve(toolsFile);
    const synced = await library.sync({ origin, fingerprint: "", tools: set.tools });
    /** Texts of requests, and of tools that had no vector. */
    const embedded =
      synced.embedded + (await embeddings.embedMissing(queries.map(embeddedText), "queries"));
    /** Ids for each way of ranking and each question, the best first. */
    const rankings: Record<Ranking, string[][]> = { meaning: [], words: [], both: [] };
    for (const ranking of RANKINGS) {
      const { results } = await library.search({ phrases: queries, topK: depth, ranking });
      rankings[ranking] = results.map(({ hits }) => hits.map(({ id }) => id));
    }
    /** Tokens of all different texts, estimated as a quarter of the characters. */
    const embeddingTokens = estimateTokens([...new Set([...documents, ...queries])]);
    return { rankings, embeddingTokens, embedded };
  } finally {
    await store.close();
  }
}

/** A readable name that is unique for each file. */
function libraryName(toolsFile: string): string {
  const path = resolve(toolsFile);
  const readable = basename(path).replaceAll(/[^A-Za-z0-9]+/g, "-");
  return `${readable.slice(0, 40)}-${sha256(path).slice(0, 12)}`;
}

/**
 * Writes the first prompt of `tulip` for each request, without asking a model.
 *
 * @param options.settings the library and its embedding model
 */
export async function firstPrompts(options: {
  questions: readonly Question[];
  workspace: Workspace;
  settings: SettingsInput;
}) {
  const { questions, workspace, settings } = options;
  const told: ReturnType<typeof toldIn>[] = [];
  const count = await tokenCounter();
  const questionOf = new Map(questions.map((question) => [question.id, question]));
  const graph = new StateGraph({ state: State, context: settingsForm })
    .addNode("search", search({ by: "planning" }))
    .addNode("prompt", async (state, config) => {
      const read = readSettings(config);
      const offer = await programOffer(state, read);
      const input = await inputOf(state, read, offer);
      const question = questionOf.get(state.run.id);
      const needed = (question ? servingTools(question) : []).map((serving) => {
        return [...offer.library.pick(serving).values()].map(offer.groups.functionName);
      });
      told.push(toldIn(input, needed, count));
      return {};
    })
    .addEdge(START, "search")
    .addEdge("search", "prompt")
    .addEdge("prompt", END)
    .compile();
  const configurable = { [WORKSPACE_KEY]: workspace };
  for (const { id, query } of questions) {
    const run = { id, request: query };
    const start = { ...FRESH_RUN, messages: [], request: "", run, earlierCalls: [] };
    await graph.invoke(start, { context: settings, configurable });
  }
  return {
    queries: told.length,
    /** Share of the requests whose tools are all named. */
    named: mean(told.map(({ named }) => Number(named))),
    /** Share of those whose tools are all shown with their arguments. */
    signed: mean(told.map(({ signed }) => Number(signed))),
    /** Mean tokens of o200k, the encoding of OpenAI's models. */
    tokens: mean(told.map(({ tokens }) => tokens)),
    /** Share of the tokens that all requests begin with, which a provider can cache. */
    stable: mean(told.map(({ stable, tokens }) => stable / tokens)),
  };
}

/** Loads five megabytes, and counts what prompts begin with once. */
async function tokenCounter(): Promise<(text: string) => number> {
  const { getEncoding } = await import("js-tiktoken");
  const encoding = getEncoding("o200k_base");
  const counts = new Map<string, number>();
  return (text) => {
    const tokens = counts.get(text) ?? encoding.encode(text, [], []).length;
    counts.set(text, tokens);
    return tokens;
  };
}

function toldIn(
  input: WriteProgramInput,
  needed: readonly (readonly string[])[],
  count: (text: string) => number,
) {
  const texts = promptOf(programQuestion, { input }).messages.map(({ text }) => text);
  const tokens = texts.map(count);
  const lines = texts.flatMap((text) => text.split("\n"));
  const tells = input.contents?.tells;
  const isSigned = (name: string) => tells === "signatures" || toldOf(lines, name).signed;
  const isNamed = (name: string) =>
    tells === "names" || isSigned(name) || toldOf(lines, name).named;
  return {
    named: needed.every((names) => names.some(isNamed)),
    signed: needed.every((names) => names.some(isSigned)),
    tokens: tokens.reduce((sum, each) => sum + each, 0),
    stable: tokens[0] ?? 0,
  };
}

/** Whether the line of its group names a function, and whether this or a declaration tells its arguments. */
export function toldOf(
  lines: readonly string[],
  name: string,
): { named: boolean; signed: boolean } {
  const member = memberOf(name);
  const group = name.slice(0, -member.length - 1);
  const own = lines.filter((line) =>
    group
      ? line.startsWith(`- ${group}: `) || line.startsWith(`- ${group} (`)
      : line.startsWith("- ") && !isHead(line),
  );
  const opened = lines.indexOf(`declare namespace ${group} {`);
  const declared = opened === -1 ? [] : lines.slice(opened, lines.indexOf("}", opened));
  return {
    named: own.some((line) => line.split(" ").includes(member)),
    signed:
      declared.some((line) => line.startsWith(`function ${member}(`)) ||
      lines.some(
        (line) => line.startsWith(`declare function ${name}(`) || line.startsWith(`${name}(`),
      ) ||
      own.some((line) => line.includes(` ${member}(`)),
  };
}

/** Whether a line is that of a group. */
function isHead(line: string): boolean {
  return /^- \S+(?: \(.*?\))?: /.test(line);
}
