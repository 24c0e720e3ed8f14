import { stage } from "../../../nodes/shared/stage.js";
import { type Chance, chanceOf } from "../chance.js";
import type { Fact } from "../drawLiteral.js";
import { drawFlow } from "../flows.js";
import { drawPersona } from "../personas.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../generationState.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { generationTools } from "./generationTools.js";
import { worldFacts } from "./worldFacts.js";

/** Tools shown besides those that go together. */
const OTHER_TOOLS = 4;

/** Things of the world shown. */
const FACTS_SHOWN = 12;

/** Draws a person, tools that the person may use, and things of the world that there are to ask about. */
export function samplePersona() {
  return stage<GenerationState, GenerationUpdate>({ ends: true }, async (state, config) => {
    const { seed, draw } = state;
    const opened = await generationTools(state, config);
    const chance = chanceOf(seed, draw, "persona");
    const persona = drawPersona(chance);
    const toolIds = drawTools([...opened.tools.values()], chance);
    if (toolIds.length === 0) return dropDraw(state, "without tools");
    const facts = await worldFacts(opened, seed);
    return { persona, toolIds, facts: chance.shuffled(facts).slice(0, FACTS_SHOWN).map(factText) };
  });
}

/** Tools that can use each other's output, so that a request may need several, and some others. */
function drawTools(tools: readonly ToolRecord[], chance: Chance): string[] {
  const flow = drawFlow({ tools, taken: new Set(), chance }) ?? [];
  const others = chance.shuffled(tools).slice(0, OTHER_TOOLS);
  return [...new Set([...flow.map(({ tool }) => tool), ...others.map(({ id }) => id)])];
}

function factText({ value, topics }: Fact): string {
  return `${value} (${topics.join(" ")})`;
}
