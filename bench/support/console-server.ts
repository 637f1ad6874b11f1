// A server with nothing but a console, as agents and readers meet it, and beside it a bare upload to a file.
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FollowStreams } from '../../src/api/endpoints/consoles/follow-streams.ts';
import type { JobIdentifier } from '../../src/artifacts/stage-run.ts';
import { Consoles } from '../../src/builds/console/consoles.ts';

const [root = ''] = process.argv.slice(2);
const consoles = new Consoles({ root: () => root, log: { error: (facts) => process.stderr.write(`${JSON.stringify(facts)}\n`) } });
const streams = new FollowStreams(new AbortController().signal);
const identifierOf = (job: string): JobIdentifier => ({ pipeline: 'bench', pipelineCounter: 1, stage: 'bench', stageCounter: 1, job });

const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  const job = url.searchParams.get('job')!;
  const done = request.method === 'GET' ? follow(job, response) : url.pathname === '/bare' ? bare(request, job) : append(request, job, url);
  done.then(
    (answer) => answer !== undefined && response.end(JSON.stringify(answer)),
    (failure: Error) => response.writeHead(500).end(failure.message),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));

async function append(request: IncomingMessage, job: string, { searchParams }: URL): Promise<object> {
  return consoles.append(identifierOf(job), 1, Number(searchParams.get('offset')), await buffer(request));
}

async function bare(request: IncomingMessage, job: string): Promise<object> {
  const file = await open(join(root, job), 'w');
  try {
    for await (const chunk of request) await file.write(chunk as Buffer);
    await file.datasync();
  } finally {
    await file.close();
  }
  return {};
}

async function follow(job: string, response: ServerResponse): Promise<undefined> {
  const blocks = (signal: AbortSignal) => consoles.follow(identifierOf(job), { from: 0, isActive: () => true, signal });
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  pipeline(streams.open({ blocks, isStillAllowed: () => true }), response, () => {});
}
