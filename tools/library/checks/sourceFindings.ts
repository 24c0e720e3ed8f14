import { grouped } from "../../../common/grouped.js";
import { isSameName } from "../../../common/nearNames.js";
import type { ToolDefinition } from "../../tool.js";
import { effectFindings } from "./effects.js";
import type { Finding } from "./finding.js";
import { hiddenFindings } from "./hiddenCharacters.js";
import { orderFindings } from "./orders.js";

/**
 * What a person should look at before using tools of a connected source: hidden characters, orders to the model, reads
 * that speak of changes, and names that pass for those of other tools.
 */
export function sourceFindings(options: {
  tools: readonly ToolDefinition[];
  others: readonly ToolDefinition[];
}): Finding[] {
  const { tools } = options;
  return [
    ...hiddenFindings(tools),
    ...orderFindings(tools),
    ...effectFindings(tools),
    ...lookalikeFindings(options),
  ];
}

/** Latin letters, each before those that look like it. */
const ALIKE =
  "aаɑα bЬВв cсϲ dԁ eеєҽ gɡց hһнН iіıɩιlІ1|!ӏ jјϳ kкκ mмМ nոη oоοօσ0 pрρ qԛ rг sѕ5 tтτ uυսц vѵν wԝω xхχ yуγү zᴢ2";

const LOOKS = new Map(
  ALIKE.split(" ").flatMap(([latin = "", ...others]) => others.map((one) => [one, latin])),
);

/**
 * Finds tools whose name looks like that of a tool of another origin without being the same: with letters of other
 * scripts, digits for letters, or invisible characters.
 */
function lookalikeFindings(options: {
  tools: readonly ToolDefinition[];
  others: readonly ToolDefinition[];
}): Finding[] {
  const { tools, others } = options;
  const known = grouped(others, ({ name }) => lookOf(name));
  return tools.flatMap((tool): Finding[] => {
    const alike = known.get(lookOf(tool.name)) ?? [];
    const copied = alike.find(({ name }) => name !== tool.name);
    const same = alike.find(({ name }) => name === tool.name);
    if (same && !copied) {
      const problem = `${same.id} of ${same.source.file} has the same name`;
      const change = "Nothing, if both are wanted: a model sees them under different names";
      return [{ check: "names", severity: "note", tools: [tool.id], problem, change }];
    }
    if (!copied) return [];
    const problem = `its name "${tool.name}" looks like "${copied.name}" (${copied.id})`;
    const change =
      "Ask where it comes from before using it: a person would mistake one for the other";
    // Two authors may well spell one name differently.
    const severity = isSameName(tool.name, copied.name) ? "warning" : "error";
    return [{ check: "names", severity, tools: [tool.id], problem, change }];
  });
}

/** What a name looks like: compatibility forms, one letter for all that look the same, nothing invisible. */
function lookOf(name: string): string {
  const letters = Array.from(name.normalize("NFKC").toLowerCase());
  return letters
    .map((letter) => LOOKS.get(letter) ?? letter)
    .join("")
    .replaceAll(/[\p{Cf}\p{Mn}\s_.-]/gu, "");
}
