import { UnknownName } from "../../common/errors.js";
import { registerChatProvider } from "../../models/providers.js";

/** Registers the provider `simulated`; its models are loaded when opened. */
export function registerSimulated(): void {
  registerChatProvider("simulated", {
    structuredReplies: "stage",
    makeChat: async (model, { seed }) => {
      if (model === "policy") {
        const { SimulatedPolicy } = await import("./policy.js");
        return new SimulatedPolicy({ seed });
      }
      if (model === "writer") {
        const { SimulatedWriter } = await import("./writer.js");
        return new SimulatedWriter();
      }
      const available = ["policy", "writer"];
      throw new UnknownName({ kind: "simulated model", wanted: model, available });
    },
  });
}
