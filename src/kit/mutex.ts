// Lets one task run at a time, in the order of asking.
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.then(ignore, ignore);
    return result;
  }
}

function ignore(): void {}
