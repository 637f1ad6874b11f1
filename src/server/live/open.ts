// Joins live notices to the server: their subjects, and which users get them.
import { liveRoutes } from '../../api/endpoints/live/routes.ts';
import type { Route } from '../../api/engine/route.ts';
import { LiveStreams } from '../../events/live/live-streams.ts';
import { NoticePublisher } from '../../events/live/notice-publisher.ts';
import type { BackgroundWork } from '../background.ts';
import type { BaseParts, OpenParts } from '../open/all-parts.ts';
import { publishBuilds } from './builds.ts';
import { publishConfig } from './config.ts';

export interface OpenLive {
  readonly routes: readonly Route[];
  /** Publishes as long as this server does the work. */
  following(builds: BackgroundWork): BackgroundWork;
}

type Parts = Pick<BaseParts, 'log'> & Pick<OpenParts, 'configuration' | 'people' | 'builds' | 'materials' | 'maintenance'>;

export function openLive(parts: Parts, stopping: AbortSignal): OpenLive {
  const { configuration, people, builds, materials, maintenance, log } = parts;
  const { config, changes, health, eventLog } = configuration;
  const publisher = new NoticePublisher({
    written: () => builds.engine.state.writer.written(),
    onFailure: (failure) => log.error({ err: failure }, 'pages could not be notified of what has changed'),
  });
  const streams = new LiveStreams(publisher);
  publishBuilds(publisher, { state: builds.engine.state, events: eventLog.events, groupOf: (pipeline) => builds.config.groupOf(pipeline) });
  publishConfig(publisher, streams, changes, config);
  health.listen(() => publisher.publish('health', () => ({ kind: 'health', data: {}, audience: 'everyone' })));
  maintenance.listen(() =>
    publisher.publish('maintenance', () => ({ kind: 'maintenance', data: { enabled: maintenance.isOn }, audience: 'everyone' })),
  );
  const failing = new Set<string>();
  materials.ofBuilds.poller.listen(({ material: { fingerprint, uses }, isChanged, wasRequested, failure }) => {
    const isOther = failure === undefined ? failing.delete(fingerprint) : !failing.has(fingerprint);
    if (failure !== undefined) failing.add(fingerprint);
    if (!isChanged && !isOther && !wasRequested) return;
    const groups = [...new Set(uses.map(({ group }) => group))];
    publisher.publish(`material ${fingerprint}`, () => ({
      kind: 'material',
      data: { fingerprint },
      audience: { groups, pipelines: uses },
    }));
  });
  return {
    routes: liveRoutes({
      publisher,
      streams,
      access: people.access,
      isStillAllowed: people.isStillAllowed,
      stopping,
    }),
    following: (work) => ({
      start: async () => {
        await work.start();
        publisher.begin();
      },
      stop: async () => {
        publisher.end();
        streams.closeAll();
        await work.stop();
      },
    }),
  };
}
