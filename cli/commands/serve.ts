import { Command } from "commander";
import { startServer } from "../../server/serve.js";
import { defaultHome } from "../../workspace/home.js";
import { examples } from "../helpExamples.js";

/** `tulipgraph serve`: the graphs behind LangGraph's API. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the graphs by the API of LangGraph's server")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 for any that is free", Number, 8123)
    .addHelpText("after", examples(["tulipgraph serve", "tulipgraph serve --port 8123"]))
    .action(async ({ host, port }: { host: string; port: number }) => {
      const place = { home: defaultHome() };
      const server = await startServer({ place, host, port, concurrency: 8, leaseSeconds: 30 });
      process.stderr.write(`Server running at ${server.url}\n`);
      await new Promise<void>((done) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
      });
      await server.close();
    });
}
