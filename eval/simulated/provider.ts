import { UnknownName } from "../../common/errors.js";
import { parseModelSpec, registerChatProvider } from "../../models/providers.js";
import { SIMULATED_POLICY, SIMULATED_WRITER } from "./policyParameters.js";

/** Registers the provider `simulated`; its models are loaded when opened. */
export function registerSimulated(): void {
  const policy = parseModelSpec(SIMULATED_POLICY);
  const writer = parseModelSpec(SIMULATED_WRITER);
  registerChatProvider(policy.provider, {
    structuredReplies: "stage",
    makeChat: async (model, { seed }) => {
      if (model === policy.model) {
        const { SimulatedPolicy } = await import("./policy.js");
        return new SimulatedPolicy({ seed });
      }
      if (model === writer.model) {
        const { SimulatedWriter } = await import("./writer.js");
        return new SimulatedWriter();
      }
      const available = [policy.model, writer.model];
      throw new UnknownName({ kind: "simulated model", wanted: model, available });
    },
  });
}
