// An artifact store on our server, and the requests that read it.
import type { RequestLine } from './connection.ts';
import type { Lab } from './lab.ts';
import { load } from './load.ts';
import type { Program } from './process.ts';
import type { Side } from './side-by-side.ts';

const STORES_PATH = '/api/admin/artifact_stores';
const STORE = {
  id: 'release-bucket',
  plugin_id: 'cd.go.artifact.s3',
  properties: [
    { key: 'S3Bucket', value: 'acme-releases' },
    { key: 'Region', value: 'eu-north-1' },
    { key: 'AWSAccessKey', value: 'AKEXAMPLE01' },
    { key: 'AWSSecretAccessKey', value: 'example-secret' },
  ],
};

export interface ServerWithStore extends Program {
  readonly bearer: string;
  readonly etag: string;
}

export async function startServerWithStore(lab: Lab, dataDir = lab.newPath()): Promise<ServerWithStore> {
  const server = await lab.startServer(dataDir);
  const answer = await fetch(server.url + STORES_PATH, {
    method: 'POST',
    headers: { Accept: 'application/vnd.svc.v1+json', Authorization: lab.basic, 'Content-Type': 'application/json' },
    body: JSON.stringify(STORE),
  });
  if (answer.status !== 200) throw new Error(`The artifact store could not be created: ${await answer.text()}`);
  return { ...server, bearer: await lab.newBearer(server.url), etag: answer.headers.get('etag')! };
}

export function getStore(authorization: string, more: Readonly<Record<string, string>> = {}): RequestLine {
  const headers = { Accept: 'application/vnd.svc.v1+json', Authorization: authorization, ...more };
  return { method: 'GET', path: `${STORES_PATH}/${STORE.id}`, headers };
}

export function sideOf({ url, pid }: Program, request: RequestLine, status: number, connections?: number): Side {
  return { pid, load: (seconds) => load(url, request, status, seconds, connections) };
}
