import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../nodes/acting/guards.js";
import { respond } from "../../../nodes/request/respond.js";
import type { ToolOffer } from "../../../nodes/policy/toolOffer.js";
import type { Ledger } from "../../../state/state.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { emptyState } from "../../fakes/emptyState.js";

it("a call of a withheld tool is told why", () => {
  const call = { id: "1", name: "send", args: {}, type: "tool_call" as const };
  const text = refusal({
    call,
    reply: new AIMessage({ content: "", tool_calls: [call] }),
    offer: { ...offer({ offered: ["add"] }), unaccepted: new Map([["send", "send has changed"]]) },
    ending: "stop",
  });
  expect(text).toContain("send has changed");
});

describe("the answer of a run that its budget ended", () => {
  const refused = [{ what: "volume_cone", price: 1 }];

  it("does not blame the amount for what the plan did", async () => {
    const { answer } = await respond()(
      emptyState({
        status: "budget",
        answer: "No.",
        ledger: ledger({ spent: 1, quotas: { volume_cone: 0 }, refused }),
      }),
      {},
    );
    expect(answer).not.toContain("did not allow");
    expect(answer).toMatch(/volume_cone.*19 of 20 units/);
  });

  it("says what the amount did not cover", async () => {
    const { answer } = await respond()(
      emptyState({ status: "budget", answer: "No.", ledger: ledger({ spent: 19.5, refused }) }),
      {},
    );
    expect(answer).toContain("The budget of 20 units did not allow volume_cone");
  });
});

function ledger(more: Partial<Ledger>): Ledger {
  return {
    unit: "units",
    amount: 20,
    spent: 0,
    enforced: true,
    plan: [],
    quotas: null,
    planned: null,
    refused: [],
    ...more,
  };
}

function offer(names: Partial<Record<"offered" | "forbidden" | "useless", string[]>>): ToolOffer {
  return {
    offered: records(names.offered),
    forbidden: records(names.forbidden),
    useless: records(names.useless),
    unaccepted: new Map(),
    prices: {},
  };
}

function records(ids: string[] = []): Map<string, ToolRecord> {
  return new Map(ids.map((id) => [id, { id, name: id } as ToolRecord]));
}
