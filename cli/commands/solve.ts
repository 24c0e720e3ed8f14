import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { InvalidSetting } from "../../errors.js";
import { DEFAULT_GRAPH } from "../../graphs/index.js";
import { findGraph } from "../findGraph.js";
import { importFile } from "../importFile.js";
import { type RunOptions, addRunOptions, settingsOf } from "../runOptions.js";
import { runThread } from "../runThread.js";

/** `tulipgraph solve "REQUEST"` */
export function solveCommand(exit: (code: number) => void): Command {
  const command = new Command("solve")
    .description("Solve a request with the tools of a library")
    .argument("<request...>", "what to do, in plain words")
    .option("--graph <id>", "the graph to run", DEFAULT_GRAPH)
    .option("--thread <id>", "continue this conversation, or start it under this name");
  return addRunOptions(command).action(async (words: string[], options: SolveOptions) => {
    const request = words.join(" ").trim();
    if (!request) {
      throw new InvalidSetting({
        setting: "request",
        problem: "is empty",
        hint: 'say what to do, for example: tulipgraph solve "What is 6 * 7?"',
      });
    }
    const graph = findGraph(options.graph);
    const settings = settingsOf(options);
    if (options.library && isFile(options.library)) {
      settings["library"] = await importFile({ file: options.library });
    }
    exit(
      await runThread({
        threadId: options.thread ?? randomUUID(),
        graph,
        settings,
        input: { request },
        output: options,
      }),
    );
  });
}

type SolveOptions = RunOptions & { graph: string; thread?: string };

/** A library is given by its name, or by the file with its functions. */
function isFile(library: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/.test(library);
}
