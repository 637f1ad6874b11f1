// Checks of the answers to requests that fail.
import assert from 'node:assert/strict';
import type { Reply, TestServer } from '../server/server.ts';

export function failed(reply: Reply, status: number, message: string): Reply {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.json.message, message);
  return reply;
}

/** Refused as based on an older version: the answer has author, time and revision of changes since; without If-Match, only the message. */
export function stale(reply: Reply, message: string, isExplained = true): Reply {
  failed(reply, 412, message);
  if (!isExplained) {
    assert.deepEqual(reply.json, { message });
    return reply;
  }
  const { actor, revision, time } = reply.json.data?.changes[0] ?? {};
  assert.ok(typeof actor === 'string' && Number.isInteger(revision) && !Number.isNaN(Date.parse(time)), reply.text);
  return reply;
}

export function invalid(reply: Reply, message: string): Reply {
  return failed(reply, 422, message);
}

/** An entity that does not exist can be neither shown nor replaced nor deleted. */
export async function isUnknown(server: TestServer, path: string, body: object, message: string): Promise<void> {
  for (const reply of [await server.get(path), await server.put(path, body, '*'), await server.delete(path)]) {
    assert.equal(reply.status, 404, reply.text);
    assert.deepEqual(reply.json, { message });
  }
}
