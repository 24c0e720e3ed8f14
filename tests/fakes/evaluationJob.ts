/**
 * The program of a process that makes runs, as eval/runs/jobs/job.ts, which beside the project's own
 * models knows the word embeddings of `TEST_LIBRARY` and the model `fake:job`. The model doubles 1;
 * the requests "fail" and "lose" end the run and the process.
 */
import { ModelFailed } from "../../common/errors.js";
import type { JobSetup } from "../../eval/runs/jobs/jobMessages.js";
import { serveRuns } from "../../eval/runs/jobs/serveRuns.js";
import { scriptedModel } from "./scriptedModel.js";
import { processName } from "./processName.js";
// Registers the embeddings of TEST_LIBRARY.
// oxlint-disable-next-line import/no-unassigned-import
import "./testLibrary.js";

scriptedModel((question) => {
  if (question.stage !== "act") return { text: "" };
  const { request, observations } = question.input;
  if (request === "lose") process.kill(process.pid, "SIGKILL");
  if (request === "fail") {
    return new ModelFailed({ model: "fake:job", problem: "busy", overloaded: { retryAfterMs: 7 } });
  }
  if (observations.length > 0) return { stop: `Two, made by ${processName(process.pid)}.` };
  return { calls: [{ name: "double_number", args: { value: 1 }, id: "call-1" }] };
}, "job");

serveRuns(JSON.parse(process.argv[2] ?? "") as JobSetup);
