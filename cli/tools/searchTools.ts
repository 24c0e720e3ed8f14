import { inBrief, InvalidSetting } from "../../common/errors.js";
import { nearestText } from "../../nodes/policy/searchFor.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { groupsText } from "../../tools/library/records/groups.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { Hit } from "../../tools/library/vectors/nearest.js";
import { readRequest, type SharedWords, sharedWords } from "../../tools/library/search/request.js";
import type { PhraseResult } from "../../tools/library/search/search.js";
import { type LibraryOptions, openLibrary } from "./openLibrary.js";
import { printJson, dim, printHanging, widthBeside } from "../printing/print.js";

interface SearchOptions extends LibraryOptions {
  topK?: number;
  set?: Record<string, unknown>;
}

/** The result of a search, as `--json` prints it. */
type Found = ReturnType<typeof foundBy>;

/** `tools search PHRASE`: what an agent would find with the phrase, and why. */
export async function searchTools(words: string[], options: SearchOptions): Promise<void> {
  const { library: name, topK, set, json } = options;
  const phrase = words.join(" ").trim();
  if (!phrase) {
    const hint = 'Say what the tool does, for example: tulipgraph tools search "area of a circle"';
    throw new InvalidSetting({ setting: "phrase", problem: "is empty", hint });
  }
  const settings = parseSettings({ library: name, topK, ...set });
  const library = await openLibrary(settings);
  const { results } = await library.search({
    phrases: [phrase],
    ranking: settings.ranking,
    threshold: settings.threshold,
    topK: settings.topK,
    nearOnly: true,
    keepUnsure: true,
  });
  const [result] = results;
  const found = foundBy({ phrase, settings, library, result });
  if (json) return printJson(found);
  printFound(found, library);
}

function foundBy(options: {
  phrase: string;
  settings: Settings;
  library: LibraryView;
  result: PhraseResult | undefined;
}) {
  const { phrase, settings, library, result } = options;
  const { hits = [], misses = [], abstained: unsure = true } = result ?? {};
  const { ranking } = settings;
  const request = readRequest(phrase);
  const explained = hits.map((hit): Hit & { words?: SharedWords } => {
    const tool = ranking === "meaning" ? undefined : library.get(hit.id);
    return tool ? { ...hit, words: sharedWords({ request, tool }) } : hit;
  });
  return { phrase, ranking, unsure, hits: explained, misses };
}

function printFound({ hits, unsure, misses: [nearest] }: Found, library: LibraryView): void {
  if (unsure) {
    const why = nearest ? ` (${nearestText({ ...nearest, tool: nearest.id })})` : "";
    const what = hits.length > 0 ? `unsure: these are only the nearest${why}` : "nothing was found";
    const groups = groupsText(library.groups(), GROUPS_SHOWN);
    process.stderr.write(`${what}${groups && `; the library has ${groups}`}\n`);
  }
  for (const hit of hits) {
    const label = `${hit.id}  `;
    const most = (widthBeside(label.length) ?? WIDEST) - " …".length;
    printHanging({ label, text: inBrief(library.get(hit.id)?.description ?? "", most) });
    printHanging({ label: "  ", text: dim(whyText(hit)) });
  }
}

const GROUPS_SHOWN = 12;

/** Most characters about a tool where the output is not a terminal; `tools list ID` tells all. */
const WIDEST = 100;

/**
 * "distance 0.81 of 2 · says area, circle · related: calculate". The score of the joined ranking has no unit: the order of
 * the hits says all of it.
 */
function whyText({ distance, words }: Found["hits"][number]): string {
  const { said = [], related = [] } = words ?? {};
  return [
    `distance ${distance.toFixed(2)} of 2, less is nearer`,
    said.length > 0 ? `says ${said.join(", ")}` : "",
    related.length > 0 ? `related: ${related.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
