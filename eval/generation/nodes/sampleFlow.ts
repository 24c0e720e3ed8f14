import { stage } from "../../../nodes/shared/stage.js";
import { chanceOf } from "../chance.js";
import { drawFlow } from "../flows.js";
import { drawPersona } from "../personas.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../generationState.js";
import { generationTools } from "./generationTools.js";

/** Draws a chain of tools that give each other what they need, unlike those that there are already. */
export function sampleFlow() {
  return stage<GenerationState, GenerationUpdate>({ ends: true }, async (state, config) => {
    const { tools } = await generationTools(state, config);
    const chance = chanceOf(state.seed, state.draw, "flow");
    const taken = new Set(state.taken.shapes);
    const flow = drawFlow({ tools: [...tools.values()], taken, chance });
    if (!flow) return dropDraw(state, "without a new flow");
    return { flow, persona: drawPersona(chance) };
  });
}
