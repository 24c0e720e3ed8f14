/** Declarations of a small library that is in order, as lines of a `.jsonl` file, and ways to spoil it. */
type Declaration = { name: string; description: string } & Record<string, unknown>;

function tool(declaration: Declaration & { parameters?: Record<string, unknown> }): Declaration {
  const { parameters = {} } = declaration;
  return {
    ...declaration,
    parameters: { type: "object", properties: parameters, required: Object.keys(parameters) },
  };
}

const text = (description: string) => ({ type: "string", description });

export const SOUND: readonly Declaration[] = [
  tool({
    name: "water_plants",
    description: "Pour water on the flowers of a garden bed",
    parameters: { bed: text("Which bed, such as north") },
  }),
  tool({ name: "tune_piano", description: "Adjust the strings of an instrument to concert pitch" }),
  tool({ name: "bake_bread", description: "Knead dough and put a loaf into the oven" }),
  tool({ name: "repair_bicycle", description: "Mend a flat tyre or a loose chain of a bike" }),
  tool({
    name: "find_customers",
    description: "Search people who bought something",
    parameters: { town: text("Where they live, such as Kiel") },
    returns: {
      type: "array",
      items: { type: "object", properties: { customer_id: { type: "string" } } },
    },
  }),
  tool({
    name: "write_invoice",
    description: "Charge somebody for goods",
    parameters: { customer_id: text("Who has to pay") },
  }),
  tool({ name: "measure_rain", description: "Read how many millimetres fell since midnight" }),
  tool({ name: "sharpen_knife", description: "Grind a blade until it cuts paper" }),
  tool({ name: "paint_fence", description: "Coat wooden boards with colour against rot" }),
  tool({ name: "feed_cat", description: "Fill the bowl of the pet with kibble" }),
  tool({ name: "wind_clock", description: "Turn the spring so that it goes on ticking" }),
  tool({ name: "fold_laundry", description: "Lay shirts and towels together after drying" }),
];

/** The sound library with further tools, or with some in the place of those of the same name. */
export function spoilt(
  ...declarations: (Declaration & { parameters?: Record<string, unknown> })[]
): Declaration[] {
  const names = new Set(declarations.map(({ name }) => name));
  return [...SOUND.filter(({ name }) => !names.has(name)), ...declarations.map(tool)];
}
