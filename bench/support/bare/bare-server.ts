// The raw limit as a program: node:http that replays one recorded answer, with `--durable FILE` after one durable commit of the body.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import type { Recording } from '../recording.ts';

const [recordingFile = '', durableFlag, databaseFile] = process.argv.slice(2);
const { status, headers, body: text, keepAliveSeconds } = JSON.parse(readFileSync(recordingFile, 'utf8')) as Recording;
/** Short texts go out faster as they are, long ones as bytes made once. */
const LONG_TEXT = 64 * 1024;
const body = text.length > LONG_TEXT ? Buffer.from(text) : text;

function replay(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(status, headers as string[]);
  response.end(body === '' ? undefined : body);
}

function keepAndReplay(databasePath: string): typeof replay {
  const database = new DatabaseSync(databasePath);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bodies (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO bodies (body) VALUES (?)');
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      insert.run(Buffer.concat(chunks).toString());
      replay(request, response);
    });
  };
}

const handler = durableFlag === '--durable' ? keepAndReplay(databaseFile!) : replay;
const server = createServer({ keepAliveTimeout: keepAliveSeconds * 1000 }, handler);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
