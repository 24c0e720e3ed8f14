import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWorkspace } from "../../home/workspace.js";
import { DESK, freshDesk } from "../graphs/desk.js";
import { newHome } from "../fakes/homes.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { program } from "../graphs/tulipRuns.js";
import { serveHere } from "./support.js";
import { importFixture } from "../fakes/testLibrary.js";

it("a server tells what a thread has changed, and takes it back once a person has approved that", async () => {
  const home = newHome();
  process.env["DESK_FILE"] = join(home, "desk.json");
  writeFileSync(join(home, "desk.json"), JSON.stringify(freshDesk()));
  const { store } = openWorkspace({ home });
  await importFixture({
    store,
    settings: DESK,
    file: "tests/fixtures/desk/tools.ts",
    description: "Desk",
  });
  const { client, url } = await serveHere({ home });
  const { thread_id } = await client.threads.create();
  const model = scriptedModel([program('await close_issue({ id: "ISS-1" });', "return `Done.`;")]);
  const post = async (body: object) => {
    const how = { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}/threads/${thread_id}/undo`, how);
    return { status: response.status, body: (await response.json()) as { run_id: string } };
  };
  const context = { ...DESK, model: model.spec };
  await client.runs.wait(thread_id, "tulip", { input: { request: "Close ISS-1" }, context });
  const changes = await (await fetch(`${url}/threads/${thread_id}/changes`)).json();
  const [{ run_id: run } = { run_id: "" }] = await client.runs.list(thread_id);
  expect(changes).toMatchObject([{ number: 1, run, tool: "close_issue", isUndone: false }]);
  expect(await post({ step: 4 })).toMatchObject({ status: 409 });
  const { body } = await post({});
  await client.runs.join(thread_id, body.run_id);
  const { tasks } = await client.threads.getState(thread_id);
  expect(tasks[0]?.interrupts[0]?.value).toMatchObject({
    actionRequests: [{ name: "reopen_issue", args: { id: "ISS-1" } }],
  });
  const ended = await client.runs.wait(thread_id, "tulip", {
    command: { resume: { decisions: [{ type: "approve" }] } },
  });
  expect(ended).toMatchObject({ status: "solved" });
  expect(await post({})).toMatchObject({ status: 409 });
});
