// Cuts bytes like a list of chunks that is nearly the same, so that both lists share the equal chunks.
import type { Chunks } from './objects.ts';

export function alignedWith(model: Chunks, content: Chunks): Chunks {
  const bytes = content.length === 1 ? content[0]! : Buffer.concat(content);
  const isAt = (chunk: Buffer, start: number) => bytes.compare(chunk, 0, chunk.length, start, start + chunk.length) === 0;
  let [start, end] = [0, bytes.length];
  let [first, past] = [0, model.length];
  for (; first < past && start + model[first]!.length <= end && isAt(model[first]!, start); first++) start += model[first]!.length;
  for (; first < past && end - model[past - 1]!.length >= start && isAt(model[past - 1]!, end - model[past - 1]!.length); past--)
    end -= model[past - 1]!.length;
  return [...model.slice(0, first), ...(start < end ? [bytes.subarray(start, end)] : []), ...model.slice(past)];
}
