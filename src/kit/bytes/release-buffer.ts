// Gives the memory of large bytes back at once: garbage is collected by what it takes on the heap, and bytes lie outside of it.

/** They must not be used any more. Small ones share their place with others and stay until they are collected. */
export function releaseBuffer({ buffer }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength > 2 * Buffer.poolSize) buffer.transfer(0);
}
