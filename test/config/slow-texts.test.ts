// Texts that are made to keep the server busy: each part that looks through texts does so once, however long they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOrder } from '../../src/api/endpoints/maintenance/order.ts';
import { keyOf } from '../../src/backup/copy/bucket.ts';
import { usesParameter } from '../../src/formats/model/scalars.ts';
import { parseCron } from '../../src/kit/cron/parse.ts';
import { openAddress } from '../../src/materials/addresses/address.ts';
import { isVersionRange } from '../../src/plugins/bundled/packages/npm-versions.ts';
import { resolvedText } from '../../src/resources/parts/resolved.ts';
import { leavesDirectory } from '../../src/resources/pipelines/file-path.ts';
import { labelProblems } from '../../src/resources/pipelines/rules/pipeline.ts';
import { assertLinear } from '../support/patience.ts';

/** Looked through from every place to the end, texts of this length would take minutes. */
const LENGTH = 400_000;
type Repeated = (piece: string) => string;
const NO_SCMS = { scms: { find: () => undefined, all: () => [] } } as unknown as Parameters<typeof labelProblems>[1];

const LOOKS: Readonly<Record<string, (long: Repeated) => unknown>> = {
  'parameters that do not end': (long) => resolvedText(long('#{'), { parameters: [{ name: 'a', value: 'b' }] }),
  'label variables that do not end': (long) =>
    labelProblems({ name: 'p', labelTemplate: `\${COUNT}${long('${')}`, materials: [], origin: null }, NO_SCMS),
  'values of pipelines as code': (long) => usesParameter(long('#{')),
  'addresses with many colons': (long) => openAddress(`https://${long('a:')}`),
  'schemes that seem to be ssh': (long) => openAddress(long('ssh'), { username: 'a' }),
  'folders of slashes': (long) => keyOf(`a${long('/')}b`, 'name'),
  'paths of many steps up': (long) => leavesDirectory(long('../')),
  'paths of many steps': (long) => leavesDirectory(`${long('a/')}..`),
  'schedules of many items': (long) => parseCron(`${long('0-59/1,')}0 * * * * ?`),
  'ranges of many versions': (long) => isVersionRange(long('1||')),
  'times of many Ts': (long) => {
    assert.throws(() => readOrder({ until: long('T.') }, 'admin', null, Date.now()));
  },
};

describe('texts made to be slow', () => {
  for (const [what, look] of Object.entries(LOOKS)) {
    test(`a text takes time in proportion to its length: ${what}`, () =>
      assertLinear(what, (length) => look((piece) => piece.repeat(length / piece.length)), LENGTH));
  }
});
