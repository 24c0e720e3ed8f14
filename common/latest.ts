/** A map of the latest entries: when there are too many, the one that was set longest ago leaves. */
export class Latest<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this;
    if (this.size > this.#most && oldest) this.delete(oldest[0]);
    return this;
  }
}
