// Reads a stream of server-sent events.

export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Takes the stream piece by piece, however it was cut, and gives whole events. */
export class EventReader {
  #rest = '';

  take(chunk: string): readonly StreamEvent[] {
    const blocks = `${this.#rest}${chunk}`.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap(eventIn);
  }
}

/** The event of a block; none where there is only a comment. */
function eventIn(block: string): readonly StreamEvent[] {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2]!] : []));
  const data = valuesOf('data');
  return data.length === 0 ? [] : [{ id: valuesOf('id').at(-1), data: data.join('\n') }];
}
