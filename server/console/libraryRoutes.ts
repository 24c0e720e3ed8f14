import { Hono } from "hono";
import { z } from "zod";
import { shortened } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { settingsSchema, parseSettings } from "../../state/settings.js";
import { readQuery } from "../api/requests.js";
import { HttpProblem } from "../problem.js";
import type { Environment, Server } from "../server.js";

/** What a search has found. */
export interface ShownSearch {
  hits: { tool: string; description: string; writes: boolean }[];
  /** None is near enough for an agent; these are only the nearest. */
  unsure: boolean;
}

const LONGEST_DESCRIPTION = 500;

/** The same bound as for the phrases that agents search with. */
const LONGEST_PHRASE = 1000;

const search = z.object({
  library: z.string().max(LONGEST_PHRASE).optional(),
  phrase: z.string().trim().min(1, "the phrase to search for is empty").max(LONGEST_PHRASE),
});

/** The search box: what an agent would find in a library. */
export function libraryRoutes(server: Pick<Server, "access" | "workspace">): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/libraries", async (context) => {
    const caller = context.get("caller");
    const names = await server.workspace.store.names();
    const seen = names.filter((library) => server.access.seesLibrary({ caller, library }));
    return context.json({ libraries: seen, usual: settingsSchema.parse({}).library });
  });
  app.get("/search", async (context) => {
    const { library: name, phrase } = readQuery(context, search);
    const settings = parseSettings({ library: name });
    const { library } = settings;
    if (!server.access.seesLibrary({ caller: context.get("caller"), library }))
      throw new HttpProblem({ status: 404, problem: `there is no library "${library}"` });
    return context.json(await found(server, settings, phrase));
  });
  return app;
}

async function found(
  server: Pick<Server, "workspace">,
  settings: ReturnType<typeof parseSettings>,
  phrase: string,
): Promise<ShownSearch> {
  const { ranking, threshold, topK } = settings;
  const library = await server.workspace.library(settings);
  const how = { ranking, threshold, topK, nearOnly: true, keepUnsure: true };
  const { results } = await library.search({ phrases: [phrase], ...how });
  const { hits = [], abstained: unsure = true } = results[0] ?? {};
  return {
    hits: hits.map(({ id }) => {
      const { description = "", effects } = library.get(id) ?? {};
      const text = shortened(oneLine(description), LONGEST_DESCRIPTION);
      return { tool: id, description: text, writes: effects === "write" };
    }),
    unsure,
  };
}
