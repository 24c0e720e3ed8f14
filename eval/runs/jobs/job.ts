import type { JobSetup } from "./jobMessages.js";
import { serveRuns } from "./serveRuns.js";

// The program of a process that makes runs. Its one argument is its setup.
serveRuns(JSON.parse(process.argv[2] ?? "") as JobSetup);
