import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { InvalidSetting } from "../../errors.js";
import { packageRoot } from "../../storage/packageRoot.js";

/** `tulipgraph dev`: the graphs behind LangGraph's development server, for Studio. */
export function devCommand(exit: (code: number) => void): Command {
  return new Command("dev")
    .description("Serve the graphs for LangGraph Studio (options go to langgraphjs dev)")
    .allowUnknownOption()
    .argument("[options...]", "options of langgraphjs dev, such as --port 2024 --no-browser")
    .action(async (options: string[]) => {
      exit(await serve(options));
    });
}

async function serve(options: string[]): Promise<number> {
  const cwd = packageRoot();
  const program = join(cwd, "node_modules/.bin/langgraphjs");
  if (!existsSync(program)) {
    throw new InvalidSetting({
      setting: "dev",
      problem: "LangGraph's development server is not installed",
      hint: "run it from a checkout of tulipgraph after npm ci",
    });
  }
  // Without this the server reports its use over the network.
  const env = { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  const server = spawn(program, ["dev", ...options], { cwd, env, stdio: "inherit" });
  const forward = (signal: NodeJS.Signals) => server.kill(signal);
  process.on("SIGINT", forward);
  process.on("SIGTERM", forward);
  try {
    return await new Promise<number>((done, failed) => {
      server.on("error", failed);
      server.on("exit", (code) => done(code ?? 0));
    });
  } finally {
    process.off("SIGINT", forward);
    process.off("SIGTERM", forward);
  }
}
