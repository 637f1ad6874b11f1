// The programs that tests start: those that `npm start` and `npm run slipway` run, and agents, if the test runner has bundled them, or else their sources.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { TEST_BUILD } = process.env;
const sources = join(import.meta.dirname, '..', '..', '..', 'src');

export const SERVER = TEST_BUILD ? join(TEST_BUILD, 'start.js') : join(sources, 'main.ts');
export const COMMAND_LINE = TEST_BUILD ? join(TEST_BUILD, 'slipway.js') : join(sources, 'cli', 'main.ts');

const bundledAgent = TEST_BUILD && join(TEST_BUILD, 'program.js');
/** The bundled agent, or its source where nothing could be bundled: then only the other programs have a stand-in. */
export const AGENT = bundledAgent && existsSync(bundledAgent) ? bundledAgent : join(sources, 'agent', 'program.ts');
