import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ChildScript } from "../../fakes/commandLine.js";
import { inEachHome } from "../../fakes/homes.js";
import { journalAt } from "../../fakes/journals.js";
import { startServer } from "../../fakes/langgraphServer.js";
import { programFile } from "../../fakes/programs.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { ownerOfTokens } from "../../../server/access/owners.js";
import { ISSUER } from "../../fakes/issuer.js";
import { serveTeam } from "./sources.js";
import { answer, waits } from "./users.js";

const ADA = ownerOfTokens(ISSUER, "ada");

const CALLS = {
  calls: [
    { name: "who", args: {}, id: "call-who" },
    { name: "note", args: { text: "tea" }, id: "call-note" },
  ],
};

inEachHome("calls that are under way when their server is killed", (newPlace) => {
  it("go on at another server as the same person, and a write is asked about", async () => {
    const team = await serveTeam(await newPlace());
    const { place, office, policyFile } = team;
    await team.close();
    const first = await serveApart({ home: place.home, url: place.url, policyFile });
    const user = await team.asAt(first.url)("ada");
    await (await team.asAt(first.url)("bob")).connect("office", { OFFICE_KEY: "bob-secret-1" });
    await user.connect("office", { OFFICE_KEY: "ada-secret-1" });
    office.hold(new Promise(() => undefined));
    const { thread_id } = await user.client.threads.create();
    const run = await user.client.runs.create(thread_id, "minimal_tulip", {
      input: { request: "Tell who I am, and write a note" },
      context: user.settings("fake:child"),
    });
    await expect.poll(() => office.called.length, { timeout: 60_000 }).toBe(2);
    first.process.kill("SIGKILL");
    await once(first.process, "exit");
    office.hold(Promise.resolve());

    scriptedModel(
      ({ messages }) =>
        messages.at(-1)?.type === "tool" ? { stop: messages.at(-2)?.text ?? "" } : CALLS,
      "child",
    );
    const second = await team.again();
    const later = await second.as("ada", "run read approve");
    const asked = await later.client.runs.join(thread_id, run.run_id);
    expect(waits(asked)).toMatchObject({ kind: "outcome" });
    const { tasks } = await later.client.threads.getState(thread_id);
    const [action] = tasks.flatMap(({ interrupts }) =>
      interrupts.flatMap(({ value }) => (value as { actionRequests: Action[] }).actionRequests),
    );
    const args = { ...action?.args, content: { made: false } };
    const decisions = [{ type: "edit", editedAction: { name: action?.name, args } }];
    expect(answer(await later.resume(thread_id, "fake:child", decisions))).toBe("ada");
    expect(office.notes).toEqual(["ada: tea"]);
    expect(new Set(office.called)).toEqual(new Set(["ada"]));
    const calls = await journalAt(place).calls(thread_id);
    expect(calls.map(({ tool, onBehalfOf }) => `${tool} ${onBehalfOf}`).toSorted()).toEqual([
      `office.note ${ADA}`,
      `office.who ${ADA}`,
    ]);
  });
});

interface Action {
  name: string;
  args: object;
}

/** A server in a process of its own. */
async function serveApart(options: { home: string; url: string | undefined; policyFile: string }) {
  const { home, url, policyFile } = options;
  const script = join(home, "script.json");
  const says: Partial<ChildScript> = { act: [CALLS], log: join(home, "questions.jsonl") };
  writeFileSync(script, JSON.stringify(says));
  const program = programFile("tests/fakes/commandLine.ts");
  const argv = ["serve", "--lease-seconds", "2", "--config", policyFile];
  const server = await startServer({
    command: [process.execPath, program, ...argv],
    env: {
      TULIPGRAPH_HOME: home,
      TULIPGRAPH_DATABASE_URL: url,
      TULIPGRAPH_KEY: process.env["TULIPGRAPH_KEY"],
      TULIPGRAPH_TEST_SCRIPT: script,
    },
    isOurs: true,
  });
  onTestFinished(server.stop);
  return server;
}
