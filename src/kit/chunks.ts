// Splits a list into chunks, for work that must not take all of it at once.

/** The items in order, at most `size` of them in each chunk. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[], void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
