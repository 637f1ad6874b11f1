// Words that only the server knows, such as the names of resources: asked for in a moment, and kept for the next ones.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../../kit/bytes/durable-file.ts';
import { readContexts } from '../../contexts/contexts-file.ts';
import { cacheFolder } from '../../contexts/user-folders.ts';
import { fetchJson } from '../../terminal/ask-server.ts';
import type { Context } from '../../terminal/context.ts';
import { type RemoteServer, serverOf } from '../../terminal/target.ts';
import { addressOf } from '../resources/columns.ts';
import { matchForm, readForms } from '../resources/forms.ts';
import { listEntities } from '../resources/requests.ts';
import type { Candidate, Completion } from './candidates.ts';

/** A user who presses Tab does not wait any longer. */
const TIMEOUT_MS = 1500;
const KEPT_MS = 30_000;
/** The name of the resource of pipelines. */
const PIPELINES = 'pipelines';

type ServerOffer = NonNullable<Exclude<Completion['offer'], 'file'>>;

export async function serverCandidates(offer: ServerOffer, { before, given }: Completion, context: Context): Promise<readonly Candidate[]> {
  if (offer === 'context')
    return Object.entries(readContexts(context.environment).contexts).map(([word, { url }]) => ({ word, about: url }));
  const { url, token, user, password, context: name, 'ca-file': caFile } = given;
  const server = serverOf({ url, token, user, password, context: name, 'ca-file': caFile }, context);
  const resource = offer === 'pipeline' ? PIPELINES : (before[0] ?? '');
  const key = JSON.stringify([server.url, server.authorization, offer, offer === 'id' ? resource : '']);
  return keptFor(key, context, () => askFor(offer, resource, server));
}

async function askFor(offer: Exclude<ServerOffer, 'context'>, resource: string, server: RemoteServer): Promise<readonly Candidate[]> {
  const ask = { signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (offer === 'agent') {
    const { agents } = (await fetchJson<{ readonly _embedded: { readonly agents: readonly Agent[] } }>(server, '/api/agents', ask))
      ._embedded;
    return agents.map(({ hostname, agent_state: state }) => ({ word: hostname, about: state }));
  }
  const forms = await readForms(server, ask);
  if (offer === 'resource') return forms.map((form) => ({ word: form.resource, about: form.title }));
  const form = matchForm(forms, resource);
  if (form.is_singleton) return [];
  const listed = await listEntities(server, form, undefined, ask);
  return listed.map(({ value, under = '' }) => ({ word: addressOf(form, value), about: under }));
}

interface Agent {
  readonly hostname: string;
  readonly agent_state: string;
}

async function keptFor(key: string, { environment }: Context, ask: () => Promise<readonly Candidate[]>): Promise<readonly Candidate[]> {
  const folder = cacheFolder(environment);
  if (folder === undefined) return ask();
  const file = join(folder, 'completion', `${createHash('sha256').update(key).digest('hex')}.json`);
  const kept = readKept(file);
  if (kept) return kept;
  const candidates = await ask();
  mkdirSync(join(folder, 'completion'), { recursive: true, mode: 0o700 });
  writeFileDurably(file, JSON.stringify(candidates), 0o600);
  return candidates;
}

function readKept(file: string): readonly Candidate[] | undefined {
  try {
    return Date.now() - statSync(file).mtimeMs < KEPT_MS ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Candidate[]) : undefined;
  } catch {
    return undefined; // none yet, or one that cannot be read: it is asked for again
  }
}
