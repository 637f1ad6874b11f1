// Frees the memory of large buffers at once: V8 collects garbage by the size of its heap, and buffers lie outside of it.

/** The buffer must not be used afterwards. Small buffers share a pool and stay until they are collected. */
export function releaseBuffer({ buffer }: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength > 2 * Buffer.poolSize) buffer.transfer(0);
}
