/** Arguments as they are written here: texts may refer to earlier steps (`$$PREV[0]`). */
export type WrittenArguments = Record<string, number | string | (number | string)[]>;

/** Steps of plans by the ids of their tasks. */
export type WrittenPlans = Record<
  string,
  readonly (readonly [tool: string, args: WrittenArguments])[]
>;
