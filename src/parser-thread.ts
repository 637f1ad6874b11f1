// A thread that reads the files of config repos.
import { parentPort } from 'node:worker_threads';
import { serveParser } from './config-repos/parsing/thread.ts';
import { stepBackInThread } from './kit/low-priority.ts';
import { parsePluginAnswer } from './pipelines-as-code/foreign/answer.ts';
import { ANSWERS } from './pipelines-as-code/foreign/protocol.ts';
import { jsonConfigRepoPlugin } from './plugins/bundled/config-repo-json.ts';
import { yamlConfigRepoPlugin } from './plugins/bundled/config-repo-yaml.ts';

const STEPS_BACK = 10;

// Whoever waits for an answer of the server comes first.
stepBackInThread(STEPS_BACK);
serveParser(parentPort!, [yamlConfigRepoPlugin, jsonConfigRepoPlugin, { id: ANSWERS, parse: parsePluginAnswer }]);
