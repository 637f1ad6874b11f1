// LDAP servers that answer with more than they were asked for: the login fails, and the server goes on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { ldapAuthorization } from '../../src/plugins/bundled/authorization/ldap/authorization.ts';

const [BIND, SEARCH] = [0x60, 0x63];
const resultOf = (id: number, tag: number) => Buffer.from([0x30, 12, 0x02, 1, id, tag, 7, 0x0a, 1, 0, 0x04, 0, 0x04, 0]);
const times = (count: number, bytes: readonly number[]) => Buffer.concat(Array.from({ length: count }, () => Buffer.from(bytes)));
const entryFor = (id: number) => [0x30, 9, 0x02, 1, id, 0x64, 4, 0x04, 0, 0x30, 0];
const referenceFor = (id: number) => [0x30, 5, 0x02, 1, id, 0x73, 0];

type Answer = (socket: Socket, id: number) => void;

async function login(answer: Answer): Promise<unknown> {
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .on('data', (request: Buffer) => {
        const [id, operation] = [request[4]!, request[5]];
        if (operation === BIND) socket.write(resultOf(id, 0x61));
        else if (operation === SEARCH) answer(socket, id);
      }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = {
    Url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SearchBases: 'dc=example',
    UserLoginFilter: '(uid={0})',
    UserNameAttribute: 'uid',
    ManagerDN: 'cn=reader',
    Password: 'secret',
    SearchTimeout: '300',
  };
  try {
    return await ldapAuthorization.authenticate('ann', 'password', new Map(Object.entries(settings)), { directory: '/' });
  } finally {
    server.close();
  }
}

function withoutEnd(socket: Socket, chunk: Buffer): void {
  while (!socket.destroyed && socket.write(chunk));
  if (!socket.destroyed) socket.once('drain', () => withoutEnd(socket, chunk));
}

test('thousands of small messages in one piece do not end the process', async () => {
  const ended = (entries: Buffer, id: number) => Buffer.concat([entries, resultOf(id, 0x65)]);
  assert.equal(await login((socket, id) => socket.write(ended(times(15_000, entryFor(id)), id))), undefined);
  assert.equal(await login((socket, id) => socket.write(ended(times(15_000, referenceFor(id)), id))), undefined);
});

test('an answer without end is cut off, long before its time is over', async () => {
  await assert.rejects(
    login((socket, id) => withoutEnd(socket, times(1000, entryFor(id)))),
    /more than it was asked for/,
  );
  await assert.rejects(
    login((socket) => {
      socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]));
      withoutEnd(socket, Buffer.alloc(65_536));
    }),
    /more than it was asked for/,
  );
});
