import { TulipgraphError } from "../../../common/errors.js";
import { DEFAULT_GRAPH, type GraphId } from "../../../graphs/index.js";
import { requireBudget } from "../../../models/prices.js";
import { type SettingsInput, parseSettings, settingsSchema } from "../../../state/settings.js";
import type { Access } from "../../access/access.js";
import type { Caller } from "../../access/caller.js";
import { HttpProblem } from "../../problem.js";

/** A way to ask: a graph with settings, under a name and a sentence that says what one gets. */
export interface Preset {
  name: string;
  about: string;
  graph: GraphId;
  settings: SettingsInput;
}

const LOW_COST = "$0.05";

/** The usual one first; a later one is what an earlier one is not. */
const PRESETS: readonly Preset[] = [
  {
    name: "Standard",
    about: "Finds the tools it needs, writes a short program, and runs it call by call.",
    graph: DEFAULT_GRAPH,
    settings: {},
  },
  {
    name: "Careful",
    about:
      "Shows you the whole plan before it writes, and checks the answer against what was done.",
    graph: DEFAULT_GRAPH,
    settings: { approval: "plan", reflect: "writes" },
  },
  {
    name: "Low cost",
    about: `Stops before it costs more than ${LOW_COST}, and says what it has by then.`,
    graph: DEFAULT_GRAPH,
    settings: { budget: LOW_COST },
  },
  {
    name: "Plan only",
    about: "Writes down the calls that it would make, and makes none.",
    graph: "iit_code",
    // Its only search has to find all that a whole plan needs.
    settings: { topK: settingsSchema.shape.primingTopK.parse(undefined) },
  },
];

/** The presets with which a caller's runs are begun as they say, whatever the operator forces, limits or refuses. */
export async function presetsFor(access: Access, caller: Caller, library?: string) {
  const kept = PRESETS.map(async (preset) => {
    const { graph, settings } = preset;
    const run = { graph, context: { library, ...settings } };
    return (await holds(settings, () => access.permitRun(caller, run))) ? preset : [];
  });
  return (await Promise.all(kept)).flat();
}

async function holds(wanted: object, permit: () => { context: Record<string, unknown> }) {
  try {
    const { context } = permit();
    const settings = parseSettings(context);
    await requireBudget(settings);
    return Object.entries(wanted).every(([name, value]) => Reflect.get(settings, name) === value);
  } catch (error) {
    if (error instanceof HttpProblem || error instanceof TulipgraphError) return false;
    throw error;
  }
}
