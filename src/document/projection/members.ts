// The elements of one list of the document, in the order in which they were created.

export interface Member {
  readonly key: string;
  readonly created: number;
  readonly chunk: Buffer;
}

export class Members {
  readonly #byKey: Map<string, Member>;
  /** undefined: to be put in order anew. */
  #inOrder: readonly Member[] | undefined;

  constructor(members: Iterable<readonly [string, Member]> = []) {
    this.#byKey = new Map(members);
  }

  get size(): number {
    return this.#byKey.size;
  }

  find(key: string): Member | undefined {
    return this.#byKey.get(key);
  }

  set(member: Member): void {
    const before = this.#byKey.get(member.key);
    this.#byKey.set(member.key, member);
    if (before?.created === member.created && this.#inOrder) this.#inOrder = this.#inOrder.with(this.#inOrder.indexOf(before), member);
    else this.#inOrder = undefined;
  }

  remove(key: string): void {
    if (this.#byKey.delete(key)) this.#inOrder = undefined;
  }

  inOrder(): readonly Member[] {
    this.#inOrder ??= [...this.#byKey.values()].sort((one, other) => one.created - other.created);
    return this.#inOrder;
  }

  copy(): Members {
    return new Members(this.#byKey);
  }
}
