import { openExperience } from "../../memory/openExperience.js";

/** Adds calls in transactions of ten, and tells after each how many transactions there were. */
const [home, name, transactions] = process.argv.slice(2);
if (!home) throw new Error("the home is missing");
const store = openExperience({ home });
for (let done = 0; done < Number(transactions); done += 1) {
  await store.add(
    Array.from({ length: 10 }, (_, call) => ({
      id: `${name} ${done} ${call}`,
      library: "math",
      query: `${name} request ${call}`,
      tool: "add",
      args: {},
      result: "",
      failed: false,
      helpful: true,
      judgedBy: "rule" as const,
      cost: 1,
      ms: 1,
      at: done,
    })),
  );
  process.send?.(done + 1);
}
await store.close();
process.disconnect();
