// The history of the configuration as a git repository that can be cloned and fetched.

import { Semaphore } from '../../../kit/concurrency/limits/semaphore.ts';
import { GitProgram, UnreadableRequest, uploadPack } from '../../../kit/git/history.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import { NOT_THIS_RESOURCE } from '../../engine/authorize.ts';
import type { Answer, ApiRequest, Route, RouteDescription } from '../../engine/route.ts';
import { unpackedBody } from '../../http/body/unpacked-body.ts';

export interface ConfigHistory {
  /** The bare repository. */
  readonly directory: string;
  /** Returns when every change acknowledged before this call is in it. */
  upToDate(): Promise<void>;
  /** Git could not serve it. */
  suspect?(): void;
}

export const READ_ONLY = 'This repository is read only. Change the configuration through the API: each change becomes a commit here.';
const ONLY_SMART = 'This server speaks only the smart protocol of git over HTTP, as git itself has done since 2010.';
const BUSY = 'Too many clients are cloning or fetching now. Try again later.';

const PATH = '/api/config-repository.git';
const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement';
const REQUEST = 'application/x-git-upload-pack-request';
const RESULT = 'application/x-git-upload-pack-result';
/** In version 2 of the protocol the answer begins without it. */
const ANNOUNCEMENT = '001e# service=git-upload-pack\n0000';
const PROTOCOL = /^version=[012]$/;
const NEVER_CACHED = 'no-cache, max-age=0, must-revalidate';
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
const MAX_PROCESSES = 8;
const MAX_WAITING = 64;
const MAX_WAIT_MS = 60_000;
const RETRY_SECONDS = 10;

const BINARY: JsonSchema = { type: 'string', format: 'binary' };
const PLAIN = 'text/plain';
const NOT_NOW = {
  503: {
    when: 'Too many clients clone or fetch at this moment, or the server has no git program it can use. Answered in plain text, which git shows.',
  },
};
const NOT_SMART = { type: PLAIN, schema: TEXT, example: `${ONLY_SMART}\n` };
const NOT_A_REQUEST = `You must specify a 'Content-Type' of '${REQUEST}'`;
const common = {
  version: null,
  permission: 'admin',
  notAllowed: () => new Refusal('forbidden', NOT_THIS_RESOURCE),
} as const;
const described = { chapter: 'config-repository', protocol: 'git' } satisfies Partial<RouteDescription>;
const headers = { 'Git-Protocol': { ...TEXT, description: 'The version of the protocol, such as `version=2`.' } };

export function configGitRoutes(history: ConfigHistory, { git = new GitProgram(), path = PATH } = {}): Route[] {
  const slots = new Semaphore(MAX_PROCESSES, MAX_WAITING, MAX_WAIT_MS);

  return [
    {
      ...common,
      method: 'GET',
      path: `${path}/info/refs`,
      description: {
        ...described,
        summary: 'What there is to clone or fetch',
        headers,
        details: [
          `Not to be used by hand: \`git clone https://<login>:<password>@<host>${PATH}\`,`,
          `or with a token, \`git -c http.extraHeader='Authorization: Bearer <token>' clone https://<host>${PATH}\`.`,
          'One commit for each revision of the configuration.',
        ].join(' '),
        query: { service: { type: 'string', enum: ['git-upload-pack'], description: 'What git wants to do.' } },
        type: ADVERTISEMENT,
        response: BINARY,
        failures: {
          ...NOT_NOW,
          400: { ...NOT_SMART, when: 'Not the smart protocol of git.' },
          403: { when: 'Not allowed, or a push: this repository is read only, which is answered in plain text.' },
        },
      },
      handle: (request) => {
        const service = request.query.get('service');
        if (service === 'git-receive-pack') return plainAnswer(403, READ_ONLY);
        if (service !== 'git-upload-pack') return plainAnswer(400, ONLY_SMART);
        return run(request, ADVERTISEMENT);
      },
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/git-upload-pack`,
      rawBody: { maxBytes: MAX_REQUEST_BYTES },
      worksInMaintenance: true,
      description: {
        ...described,
        headers,
        summary: 'Clone or fetch',
        bodies: { [REQUEST]: { schema: BINARY } },
        type: RESULT,
        response: BINARY,
        changes: 'nothing',
        failures: {
          ...NOT_NOW,
          400: { type: PLAIN, schema: TEXT, when: 'Git cannot read the request.' },
          413: { when: `The request is larger than ${MAX_REQUEST_BYTES} bytes.` },
          415: {
            when: 'The request is not of the type that git sends, or compressed in a way that is not known here.',
            example: { message: NOT_A_REQUEST },
          },
        },
      },
      handle: (request) => {
        if (request.raw.type !== REQUEST) throw new Refusal('unsupportedContent', NOT_A_REQUEST);
        return run(request, RESULT);
      },
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/git-receive-pack`,
      rawBody: { maxBytes: Number.POSITIVE_INFINITY },
      description: {
        ...described,
        summary: 'A push, which is refused',
        changes: 'nothing',
        status: 403,
        failures: { 403: { when: 'Always: this repository is read only.', example: { message: READ_ONLY } } },
      },
      handle: () => {
        throw new Refusal('forbidden', READ_ONLY);
      },
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/objects/:folder/:file`,
      description: {
        ...described,
        summary: 'What clients ask for that do not speak the smart protocol, which is refused',
        parameters: {
          folder: { description: 'A folder of the repository.', example: 'info' },
          file: { description: 'A file in it.', example: 'packs' },
        },
        status: 400,
        failures: { 400: { ...NOT_SMART, when: 'Always.' } },
      },
      handle: () => plainAnswer(400, ONLY_SMART),
    },
  ];

  async function run(request: ApiRequest, type: typeof ADVERTISEMENT | typeof RESULT): Promise<Answer> {
    const problem = await git.problem();
    if (problem !== undefined) return plainAnswer(503, problem);
    await history.upToDate();
    const release = await slots.acquire();
    if (!release) return plainAnswer(503, BUSY, ['Retry-After', String(RETRY_SECONDS)]);
    const protocol = request.header('git-protocol') ?? '';
    const process = uploadPack(git, {
      repository: history.directory,
      protocol: PROTOCOL.test(protocol) ? protocol : undefined,
      input: type === RESULT ? unpackedBody(request, MAX_REQUEST_BYTES) : undefined,
    });
    void process.ended.then((hasFailed) => {
      release();
      if (hasFailed) history.suspect?.();
    });
    const watched = request.onGone(process.stop);
    try {
      const body = await process.output;
      if (type === ADVERTISEMENT && protocol !== 'version=2') body.unshift(Buffer.from(ANNOUNCEMENT));
      return { status: 200, body, type, cacheControl: NEVER_CACHED };
    } catch (failure) {
      if (failure instanceof UnreadableRequest) return plainAnswer(400, `Git cannot read the request. ${failure.message}`);
      throw failure;
    } finally {
      watched();
    }
  }
}

/** Git shows its user the text of a failure, when it is plain. */
function plainAnswer(status: number, message: string, headers: readonly string[] = []): Answer {
  const text = `${message}\n`;
  return { status, text, bytes: Buffer.byteLength(text), type: `${PLAIN}; charset=utf-8`, headers };
}
