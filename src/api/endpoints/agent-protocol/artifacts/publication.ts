// Agents say which of the files that they sent are to be seen.
import { NOT_JOB_OF_AGENT, type Publications } from '../../../../artifacts/publications.ts';
import {
  ARTIFACT_PUBLICATION_PATH,
  type ArtifactFile,
  MAX_ARTIFACTS_AT_ONCE,
  type Publication,
  type PublicationAnswer,
} from '../../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { isObject, type Json, type JsonObject } from '../../../../shape/json/json.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../../engine/route.ts';
import { readUntrustedJson } from '../../../http/body/body.ts';
import { mustBeKnown } from '../../../http/known-query.ts';
import { type AgentAccess, agentOf } from '../agent-of.ts';
import { idIn, refusalOf, routeOf } from './common.ts';
import { PUBLISH, TOO_MANY } from './docs.ts';
import type { ArtifactJobs } from './jobs.ts';

export interface PublicationParts {
  readonly access: AgentAccess;
  readonly jobs: Pick<ArtifactJobs, 'ownerOf'>;
  readonly publications: Pick<Publications, 'publish'>;
}

/** As many files as one may have, with long names. */
const MAX_BYTES = 16 * 1024 * 1024;
const TYPES = ['build', 'test', 'metadata'] as const;
const SHA256 = /^[0-9a-f]{64}$/;
const MD5 = /^[0-9a-f]{32}$/;

export function publicationRoute({ access, jobs, publications }: PublicationParts): Route {
  return routeOf(access, {
    method: 'POST',
    path: ARTIFACT_PUBLICATION_PATH,
    rawBody: { maxBytes: MAX_BYTES },
    description: PUBLISH,
    handle: publish,
  });

  async function publish(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, PUBLISH);
    const { uuid } = agentOf(access, request);
    const id = idIn(request, 'job');
    const { epoch, ...publication } = publicationIn(await readUntrustedJson(request));
    const job = await jobs.ownerOf(id, epoch, uuid);
    if (!job) throw new Refusal('conflict', NOT_JOB_OF_AGENT);
    try {
      const missing = await publications.publish(job, publication, async () => (await jobs.ownerOf(id, epoch, uuid)) !== undefined);
      return jsonAnswer({ missing } satisfies PublicationAnswer, { type: 'application/json', cacheControl: 'no-store' });
    } catch (failure) {
      throw refusalOf(failure);
    }
  }
}

function publicationIn({ instance, epoch, type, files, folders }: JsonObject): Publication {
  if (typeof instance !== 'string') throw new Refusal('invalid', '`instance` must be the text that the agent registered with.');
  if (typeof epoch !== 'number' || !isCount(epoch)) throw new Refusal('invalid', '`epoch` must be the number in the work of the job.');
  const known = TYPES.find((one) => one === type);
  if (!known) throw new Refusal('invalid', `\`type\` must be one of ${TYPES.join(', ')}.`);
  if (!Array.isArray(files) || !Array.isArray(folders)) throw new Refusal('invalid', '`files` and `folders` must be lists.');
  if (files.length + folders.length > MAX_ARTIFACTS_AT_ONCE) throw new Refusal('invalid', TOO_MANY);
  return { instance, epoch, type: known, files: files.map(fileIn), folders: [...new Set(folders.map(folderIn))] };
}

function fileIn(file: Json): ArtifactFile {
  const { path, bytes, sha256, md5 } = isObject(file) ? file : {};
  if (typeof path !== 'string') throw new Refusal('invalid', 'Each of `files` must have a `path`.');
  if (typeof bytes !== 'number' || !isCount(bytes)) throw new Refusal('invalid', 'Each of `files` must say how many `bytes` it has.');
  if (typeof sha256 !== 'string' || !SHA256.test(sha256))
    throw new Refusal('invalid', 'Each of `files` must have its `sha256`, in lower-case hex.');
  if (typeof md5 !== 'string' || !MD5.test(md5)) throw new Refusal('invalid', 'Each of `files` must have its `md5`, in lower-case hex.');
  return { path, bytes, sha256, md5 };
}

/** With or without a slash at the end. */
function folderIn(folder: Json): string {
  if (typeof folder !== 'string') throw new Refusal('invalid', '`folders` must be a list of paths.');
  return folder.replace(/\/$/, '');
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
