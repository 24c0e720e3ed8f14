import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { shortened } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { dataUrl, fileNames } from "../../../common/fileNames.js";
import { aboutGraph } from "../../../graphs/openGraph.js";
import { DEFAULT_GRAPH } from "../../../graphs/index.js";
import { graphNames } from "../../../graphs/ownGraphs.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { seenBy } from "../../../home/libraries.js";
import { declarationLines } from "../../../nodes/programs/functionDeclarations.js";
import { OFFLINE_MODEL, parseSettings, settingsSchema } from "../../../state/settings.js";
import type { Behalf } from "../../../tools/remote.js";
import type { LibraryView } from "../../../tools/library/library.js";
import { absentTool } from "../../../tools/library/search/absentTool.js";
import { readRequest, sharedWords } from "../../../tools/library/search/request.js";
import { withTexts } from "../../../tools/calls/engine/callArguments.js";
import { validateArguments } from "../../../tools/calls/engine/validateArguments.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { type Request, refused } from "../../api/requests.js";
import { jsonObject, body, query } from "../../api/taking.js";
import type { Caller } from "../../access/caller.js";
import { libraryAbsent, requireLibrary } from "../../access/libraries.js";
import { notFound } from "../../problem.js";
import type { Environment } from "../../server.js";
import { presetsFor } from "./presets.js";
import { decideAsSeen, shownWaysBack, shownWithheld, verdictForm } from "./reviews.js";
import type { Access } from "../../access/access.js";
import { type Workspace, holding } from "../../../home/workspace.js";

/** What one can choose for a run; what the caller may not choose is refused when the run is begun. */
export type Choices = Awaited<ReturnType<typeof choices>>;

export type ShownSearch = Awaited<ReturnType<typeof found>>;

/** A library, as far as a page shows it at once. */
export type ShownLibrary = ReturnType<typeof shownLibrary>;

export type ShownTool = ReturnType<typeof shownTool>;

/** A tool with what a model is told of it, and what a form needs. */
export type WholeTool = ReturnType<typeof wholeTool>;

export type Tried = Awaited<ReturnType<typeof tried>>;

const LONGEST_DESCRIPTION = 500;

/** The same bound as for the phrases that agents search with. */
const LONGEST_PHRASE = 1000;

const name = z.string().max(LONGEST_PHRASE);
const ofLibrary = z.object({ library: name.optional() });

const search = ofLibrary.extend({
  phrase: z.string().trim().min(1, "the phrase to search for is empty").max(LONGEST_PHRASE),
});

const list = ofLibrary.extend({
  group: name.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});

const trial = ofLibrary.extend({ tool: name, args: jsonObject.default({}) });

type Served = { access: Access; workspace: Workspace };

/** What can be chosen for a run, and libraries: their groups, tools and searches. */
export function libraryRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { access, workspace } = server;
  const open = async (context: Request, wanted: z.output<typeof ofLibrary>) => {
    const settings = parseSettings({ library: wanted.library });
    const [caller, { library }] = [context.get("caller"), settings];
    if (!access.seesLibrary({ caller, library })) throw libraryAbsent(library);
    await requireLibrary(workspace, caller, library);
    const behalf = access.behalfOf(caller);
    const stored = await workspace.library(settings);
    return { settings, behalf, library: await seenBy(behalf, stored, workspace.connections) };
  };
  app.get("/choices", async (context) =>
    context.json(await choices(server, context.get("caller"))),
  );
  app.get("/library", query(ofLibrary), async (context) => {
    const { library } = await open(context, context.req.valid("query"));
    return context.json(shownLibrary(library));
  });
  app.get("/tools", query(list), async (context) => {
    const wanted = context.req.valid("query");
    const { library } = await open(context, wanted);
    const { total, tools } = toolsIn(library, wanted);
    context.header("X-Pagination-Total", String(total));
    return context.json(tools);
  });
  app.get("/tools/:tool", query(ofLibrary), async (context) => {
    const { library } = await open(context, context.req.valid("query"));
    return context.json(wholeTool(library, findTool(library, context.req.param("tool"))));
  });
  app.get("/search", query(search), async (context) => {
    const { phrase, ...wanted } = context.req.valid("query");
    return context.json(await found({ ...(await open(context, wanted)), phrase }));
  });
  app.post("/reviews", body(verdictForm), async (context) => {
    const decided = context.req.valid("json");
    const { library } = await open(context, decided);
    await decideAsSeen(library, decided);
    return context.json({});
  });
  app.post("/try", body(trial), async (context) => {
    const { tool: id, args, ...wanted } = context.req.valid("json");
    const opened = await open(context, wanted);
    const tool = findTool(opened.library, id);
    return context.json(await tried({ server, ...opened, tool, args }));
  });
  return app;
}

async function choices({ access, workspace }: Served, caller: Caller) {
  const models = access.models();
  const [model] = models;
  const { library, embeddings, approval, ...rest } = settingsSchema.parse({
    ...(model && { model }),
    ...access.policy.force,
  });
  const names = await workspace.store.names();
  const allowed = graphNames().filter(access.allowsGraph);
  const entries = allowed.map(async (id) => ({ id, summary: (await aboutGraph(id)).summary }));
  const isSeen = (each: string) => access.seesLibrary({ caller, library: each });
  // A catalog becomes a library at its first use.
  const libraries = [...new Set([...names, ...Object.keys(CATALOGS)])].filter(isSeen).toSorted();
  const seen = libraries.includes(library) ? library : libraries[0];
  return {
    libraries,
    graphs: await Promise.all(entries),
    models,
    presets: await presetsFor(access, caller, seen),
    /** Requests that the built-in rules solve with a library that ships. */
    examples: Object.fromEntries(
      libraries.map((each): [string, readonly string[]] => [each, CATALOGS[each]?.examples ?? []]),
    ),
    /** The built-in rules, which need no key. */
    offline: OFFLINE_MODEL,
    /** What holds if nothing is chosen. */
    usual: {
      graph: allowed.find((id) => id === DEFAULT_GRAPH) ?? allowed[0],
      library,
      model: rest.model,
      embeddings,
      approval,
    },
  };
}

function shownLibrary(library: LibraryView) {
  const { name, description, size, revision } = library;
  return {
    name,
    description,
    size,
    revision,
    groups: [...library.groups().list],
    origins: library.origins().map(({ origin }) => origin),
    /** Definitions that nobody has accepted yet. What is only not offered to this person is nothing to review. */
    withheld: library.withheld().flatMap((each) => (each.isUnoffered ? [] : shownWithheld(each))),
    waysBack: shownWaysBack(library),
  };
}

function toolsIn(library: LibraryView, { group, limit, offset }: z.output<typeof list>) {
  const groups = library.groups();
  const functions = group === undefined ? undefined : new Set(groups.functionsIn(group));
  const all = library.list();
  const chosen = functions ? all.filter((tool) => functions.has(groups.functionName(tool))) : all;
  const tools = chosen.slice(offset, offset + limit).map((tool) => shownTool(library, tool));
  return { total: chosen.length, tools };
}

function shownTool(library: LibraryView, tool: ToolRecord) {
  const { id, description, effects, hash } = tool;
  return {
    id,
    /** Tools with the same one are the same. */
    hash,
    /** What programs call it. */
    name: library.groups().functionName(tool),
    description: shortened(oneLine(description), LONGEST_DESCRIPTION),
    writes: effects === "write",
  };
}

function findTool(library: LibraryView, id: string): ToolRecord {
  const tool = library.get(id);
  if (tool) return tool;
  throw notFound(absentTool(library, id).message);
}

function wholeTool(library: LibraryView, tool: ToolRecord) {
  const shown = shownTool(library, tool);
  const { description, parameters, version, source } = tool;
  return {
    ...shown,
    description,
    declaration: declarationLines([{ ...tool, name: shown.name }]),
    parameters,
    version,
    origin: source.file,
    /** It reads, and needs no consent. */
    mayBeTried: isHarmless(tool),
  };
}

function isHarmless({ effects, approval }: ToolRecord): boolean {
  return effects === "read" && approval !== true;
}

async function found(options: {
  library: LibraryView;
  settings: ReturnType<typeof parseSettings>;
  phrase: string;
}) {
  const { library, phrase } = options;
  const { ranking, threshold, topK } = options.settings;
  const how = { ranking, threshold, topK, nearOnly: true, keepUnsure: true };
  const { results } = await library.search({ phrases: [phrase], ...how });
  const { hits = [], abstained: unsure = true } = results[0] ?? {};
  const request = readRequest(phrase);
  return {
    hits: hits.flatMap(({ id, distance }) => {
      const tool = library.get(id);
      if (!tool) return [];
      const { description, writes } = shownTool(library, tool);
      const words = sharedWords({ request, tool }).said;
      return { tool: id, description, writes, distance, words };
    }),
    /** None is near enough for an agent; these are only the nearest. */
    unsure,
  };
}

/** Calls a tool that only reads, on a thread of its own that nothing is left of. Files come with the result. */
async function tried(options: {
  server: Served;
  library: LibraryView;
  tool: ToolRecord;
  args: Record<string, unknown>;
  settings: ReturnType<typeof parseSettings>;
  behalf: Behalf;
}) {
  const { server, library, tool, args, settings, behalf } = options;
  const { runtime } = server.workspace;
  if (!isHarmless(tool))
    throw refused(
      `${tool.id} may change something`,
      "Ask for it in a run, where a write can be approved",
    );
  const check = validateArguments({ record: tool, args });
  if (!check.ok) throw refused(`arguments of ${tool.id}: ${oneLine(check.problem)}`);
  const threadId = `try-${randomUUID()}`;
  return await holding(runtime, threadId, async (hold) => {
    const [outcome] = await runtime.runCalls({
      threadId,
      hold: hold.token,
      behalf,
      calls: [{ id: randomUUID(), tool, args }],
      timeoutMs: settings.toolTimeoutMs,
      library: { get: (id) => library.get(id) },
    });
    if (!outcome) throw new Error("the runtime returned no outcome for its only call");
    const { status, resultText, error, ms } = outcome;
    const result = outcome.result ?? (error ? undefined : resultText);
    const files = await runtime.journal.files(threadId, fileNames(resultText));
    const urls = new Map(files.map((file) => [file.name, dataUrl(file)]));
    return { status, result: withTexts(result, {}, (text) => urls.get(text) ?? text), error, ms };
  }).finally(() => runtime.journal.forget([threadId]));
}
