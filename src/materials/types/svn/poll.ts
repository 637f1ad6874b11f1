// Finds new revisions in a Subversion repository, asked over the network: no copy is kept.
import { mkdirSync } from 'node:fs';
import { CommandFailure } from '../../../kit/process/command.ts';
import type { XmlElement } from '../../../kit/xml/tree.ts';
import { inBatches } from '../../clients/batches.ts';
import { type KnownRevision, MaterialProblem, type NewModification, type PollContext } from '../../clients/client.ts';
import { elementAtEnd } from '../../clients/xml-records.ts';
import { svnInfo } from './info.ts';
import { modificationOf, revisionOf } from './log-entry.ts';
import { isRevision, type SvnMaterial } from './material.ts';
import { Svn } from './svn.ts';

const ENTRY = 'logentry';
/** An entry lists all its files. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
const NO_SUCH_REVISION = /E160006/;

export async function* pollSvn(
  material: SvnMaterial,
  known: KnownRevision | undefined,
  context: PollContext,
): AsyncGenerator<readonly NewModification[], void> {
  mkdirSync(context.directory, { recursive: true });
  const svn = new Svn(material, context);
  const { maxBytes } = context.limits;
  if (!known || !isRevision(known.revision)) {
    const newest = [];
    for await (const batch of inBatches(modificationsIn(svn, ['--limit=1'], undefined, maxBytes))) newest.push(...batch);
    if (newest.length === 0) throw new MaterialProblem('No revision is visible at this address.');
    yield newest;
    return;
  }
  try {
    yield* inBatches(modificationsIn(svn, [`--revision=${known.revision}:HEAD`], known.revision, maxBytes));
  } catch (failure) {
    // The repository has been replaced by a younger one, which does not have the known revision.
    if (!(failure instanceof CommandFailure && NO_SUCH_REVISION.test(failure.stderr))) throw failure;
    yield* inBatches(modificationsIn(svn, ['--limit=1'], undefined, maxBytes));
  }
}

/** The path of the material in its repository is only asked for when there is something to show. */
async function* modificationsIn(
  svn: Svn,
  range: readonly string[],
  known: string | undefined,
  maxBytes: number,
): AsyncGenerator<readonly NewModification[], void> {
  let prefix: string | undefined;
  const args = ['log', '--xml', '--verbose', ...range, '--', svn.target];
  const options = { maxRecordBytes: MAX_ENTRY_BYTES, maxOutputBytes: maxBytes, printsProgress: true };
  for await (const records of svn.records(args, `</${ENTRY}>`, options)) {
    const entries = records
      .map((record) => elementAtEnd(record, ENTRY))
      .filter((entry): entry is XmlElement => entry !== undefined && revisionOf(entry) !== known);
    if (entries.length === 0) continue;
    prefix ??= (await svnInfo(svn)).path;
    yield entries.map((entry) => modificationOf(entry, prefix!)).filter((modification) => modification !== undefined);
  }
}
