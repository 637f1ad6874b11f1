// A large configuration file: how long its import takes, and how long it keeps the thread that serves others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLocally } from '../../src/cli/run/import/import-local.ts';
import type { Measurement } from '../support/measurement.ts';

const MEGABYTES = 10;
const MAX_BLOCKED_MS = 50;
const SMALL = '<cruise schemaVersion="139"><pipelines group="few" /></cruise>';

export const importLarge: Measurement = {
  name: 'import',
  what: `import of a file of ${MEGABYTES} MB: whole / longest time without a turn for others`,
  beside: '–',
  goal: `stated / ≤ ${MAX_BLOCKED_MS} ms`,
  run: async () => {
    const { bytes, pipelines } = largeFile();
    const dataDir = mkdtempSync(join(tmpdir(), 'slipway-bench-import-'));
    const installation = { dataDir, source: { sqlite: join(dataDir, 'slipway.db') }, cipherKeyFile: undefined };
    try {
      // A server that runs has its tables already.
      await importLocally({
        bytes: Buffer.from(SMALL),
        fileName: 'small.xml',
        cipherKey: undefined,
        open: undefined,
        installation,
        isPlan: false,
      });
      const stopwatch = watchThread();
      const startedAt = performance.now();
      const { plan } = await importLocally({
        bytes,
        fileName: 'large.xml',
        cipherKey: undefined,
        open: undefined,
        installation,
        isPlan: false,
      });
      const wholeMs = performance.now() - startedAt;
      const blockedMs = stopwatch();
      if (plan.created.length < pipelines) throw new Error('The file was not imported whole.');
      return {
        figure: `${(wholeMs / 1000).toFixed(1)} s / ${blockedMs.toFixed(0)} ms`,
        isMet: blockedMs <= MAX_BLOCKED_MS,
        numbers: { wholeMs, blockedMs, pipelines, bytes: bytes.length },
        notes: [`${pipelines} pipelines`],
      };
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
};

/** The longest time between two turns of the event loop; waiting for a processor that others use does not count. */
function watchThread(): () => number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let [lastTurn, lastUsed] = [performance.now(), used()];
  const turn = () => {
    const [now, usedNow] = [performance.now(), used()];
    longest = Math.max(longest, Math.min(now - lastTurn, usedNow - lastUsed));
    [lastTurn, lastUsed] = [now, usedNow];
  };
  const timer = setInterval(turn, 1);
  return () => {
    turn();
    clearInterval(timer);
    return longest;
  };
}

function largeFile(): { readonly bytes: Uint8Array; readonly pipelines: number } {
  const parts: string[] = [];
  let size = 0;
  while (size < MEGABYTES * 1_000_000) {
    const text = pipeline(parts.length);
    parts.push(text);
    size += text.length;
  }
  const open = '<?xml version="1.0" encoding="utf-8"?>\n<cruise schemaVersion="139">\n  <pipelines group="many">\n';
  return { bytes: Buffer.from(`${open}${parts.join('')}  </pipelines>\n</cruise>\n`), pipelines: parts.length };
}

function pipeline(index: number): string {
  const name = `pipeline-${index}`;
  const variables = Array.from(
    { length: 5 },
    (_, at) => `<variable name="V${at}">\n          <value>value ${at} of ${name}</value>\n        </variable>`,
  );
  const upstream = index < 50 ? '' : `\n        <pipeline pipelineName="pipeline-${index - 50}" stageName="package" />`;
  const job = (stage: string, at: string) => `
          <job name="${at}">
            <tasks>
              <exec command="make">
                <arg>${stage}</arg>
                <arg>--jobs=4</arg>
                <runif status="passed" />
              </exec>
              <exec command="bash">
                <arg>-c</arg>
                <arg>echo ${name} ${stage} ${at} &amp;&amp; ./scripts/run.sh --with several --arguments</arg>
                <runif status="any" />
              </exec>
            </tasks>
            <resources>
              <resource>linux</resource>
            </resources>
            <artifacts>
              <artifact type="build" src="out/*.jar" dest="jars" />
            </artifacts>
          </job>`;
  const stages = ['build', 'test', 'package'].map(
    (stage) => `      <stage name="${stage}">\n        <jobs>${job(stage, 'a')}${job(stage, 'b')}\n        </jobs>\n      </stage>\n`,
  );
  return `    <pipeline name="${name}">
      <environmentvariables>
        ${variables.join('\n        ')}
      </environmentvariables>
      <materials>
        <git url="https://scm.example.org/${name}.git" branch="main" />${upstream}
      </materials>
${stages.join('')}    </pipeline>
`;
}
