// The operations on a pipeline as a whole: pause it, let it run again, release its lock.
import { unlock } from '../../../builds/runs/unlock.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import { readText } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { alreadyPaused, alreadyUnpaused, MAX_CAUSE_LENGTH, PAUSE, RUNS_CHAPTER, UNLOCK, UNPAUSE } from './docs.ts';
import type { BuildRouteParts } from './parts.ts';
import { requireOperable } from './visibility.ts';

export function operationRoutes(parts: BuildRouteParts): Route[] {
  const { engine, pauses } = parts;
  const pipelineOf = async ({ params: { pipeline_name: name = '' }, identity }: ApiRequest) => requireOperable(parts, name, identity);
  const common = { method: 'POST', version: 1, permission: 'user' } as const;
  return [
    {
      ...common,
      path: '/api/pipelines/:pipeline_name/pause',
      description: { chapter: RUNS_CHAPTER, ...PAUSE },
      handle: async (request) => {
        const { isDryRun } = request;
        const { key, name } = await pipelineOf(request);
        const cause = causeIn(request);
        engine.mustBeStarted();
        // Once it is answered no run begins that was decided on before.
        await engine.state.pipelineMutex.run(key, async () => {
          if (pauses.find(key)) throw new Refusal('conflict', alreadyPaused(name));
          const pause = { by: request.identity.loginName, cause, at: new Date(parts.now()).toISOString() };
          if (!isDryRun) await pauses.pause(name, pause, (write) => engine.state.writer.commit(write));
        });
        return jsonAnswer({ message: `Pipeline '${name}' paused successfully.` });
      },
    },
    {
      ...common,
      path: '/api/pipelines/:pipeline_name/unpause',
      description: { chapter: RUNS_CHAPTER, ...UNPAUSE },
      handle: async (request) => {
        const { isDryRun } = request;
        const { key, name } = await pipelineOf(request);
        engine.mustBeStarted();
        await engine.state.pipelineMutex.run(key, async () => {
          if (!pauses.find(key)) throw new Refusal('conflict', alreadyUnpaused(name));
          if (!isDryRun) await pauses.unpause(name, request.identity.loginName, (write) => engine.state.writer.commit(write));
        });
        if (!isDryRun) engine.wake([name]);
        return jsonAnswer({ message: `Pipeline '${name}' unpaused successfully.` });
      },
    },
    {
      ...common,
      path: '/api/pipelines/:pipeline_name/unlock',
      description: { chapter: RUNS_CHAPTER, ...UNLOCK },
      handle: async (request) => {
        const { isDryRun } = request;
        const pipeline = await pipelineOf(request);
        engine.mustBeStarted();
        await unlock(engine.state, pipeline, request.identity.loginName, { isDryRun });
        if (!isDryRun) engine.wake([pipeline.name]);
        return jsonAnswer({ message: `Pipeline lock released for ${pipeline.name}` });
      },
    },
  ];
}

function causeIn({ body }: ApiRequest): string {
  const problems: Problem[] = [];
  const cause = readText({ holder: body, path: [], reading: plainReading(problems) }, 'pause_cause') ?? '';
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  if (cause.length > MAX_CAUSE_LENGTH)
    throw new Refusal('invalid', `\`pause_cause\` must not be longer than ${MAX_CAUSE_LENGTH} characters.`);
  if (!isProse(cause)) throw new Refusal('invalid', `\`pause_cause\` ${NOT_PROSE}.`);
  return cause;
}
