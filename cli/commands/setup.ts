import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { EXTRA_NAMES, EXTRAS } from "../../common/extras.js";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";

/** `tulipgraph setup` */
export function setupCommand(exit: Exit): Command {
  const extras = EXTRA_NAMES.map((name) => `  ${name.padEnd(9)} ${EXTRAS[name].use}`);
  return new Command("setup")
    .description("Install what only some work needs; without a name, all of it")
    .argument("[names...]", "what is wanted")
    .addHelpText("after", ["", "What there is:", ...extras, ""].join("\n"))
    .addHelpText("after", examples(["tulipgraph setup", "tulipgraph setup faiss"]))
    .action(async (names: string[]) => {
      const { setUpExtras } = await import("../setUpExtras.js");
      exit(await setUpExtras(names.length > 0 ? names.map(extraName) : EXTRA_NAMES));
    });
}

function extraName(name: string) {
  const known = EXTRA_NAMES.find((each) => each === name);
  if (known) return known;
  const hint = `Choose from ${EXTRA_NAMES.join(", ")}`;
  throw new InvalidSetting({ setting: "setup", problem: `there is no "${name}"`, hint });
}
