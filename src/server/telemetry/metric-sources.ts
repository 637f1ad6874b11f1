// Where the metrics of the server come from.
import { tokenCounts } from '../../access/users/token-health.ts';
import type { MetricSources } from '../../api/endpoints/metrics/all-metrics.ts';
import type { ShownHistogram } from '../../api/endpoints/metrics/histogram-text.ts';
import { BackupTable } from '../../backup/record-table.ts';
import { WORK_BOUNDS } from '../../kit/telemetry/histogram.ts';
import { LabelledHistograms } from '../../kit/telemetry/labelled-histograms.ts';
import { buildStatistics } from '../builds/build-statistics.ts';
import type { BaseParts, OpenParts } from '../open/all-parts.ts';

const NO_SPANS = { sent: 0, dropped: 0 };

export function metricSources(parts: BaseParts & OpenParts): MetricSources {
  const { database, sharing, builds, disk, configuration, maintenance, tracer } = parts;
  const backups = new BackupTable(database);
  return {
    sharing,
    builds: () => buildStatistics(builds),
    artifacts: builds.retention.usage,
    accessTokens: () => tokenCounts(parts.people.tokens.all(), Date.now()),
    housekeeping: {
      freeBytes: (use) => disk.free(use),
      lastBackupAt: async () => {
        const time = await backups.lastSuccess();
        return time === undefined ? undefined : Date.parse(time);
      },
      healthMessages: () => configuration.health.all(),
      isInMaintenance: () => maintenance.isOn,
      spans: () => tracer?.counts() ?? NO_SPANS,
    },
    durations: [pollTimes(parts), parseTimes(parts), commitTimes(parts)],
  };
}

function pollTimes({ materials }: OpenParts): ShownHistogram {
  const times = new LabelledHistograms(['type', 'result'], WORK_BOUNDS);
  materials.ofBuilds.poller.listen(({ material, failure, wasStopped, seconds }) => {
    if (!wasStopped) times.add([material.type, failure === undefined ? 'ok' : 'failed'], seconds);
  });
  return {
    name: 'slipway_material_poll_seconds',
    help: 'How long polls of materials took.',
    labels: times.names,
    series: () => times.all(),
  };
}

function parseTimes({ configRepos: { parseTimes: times } }: OpenParts): ShownHistogram {
  return {
    name: 'slipway_config_repo_parse_seconds',
    help: 'How long it took to read and publish config repos.',
    labels: times.names,
    series: () => times.all(),
  };
}

function commitTimes({ database }: BaseParts): ShownHistogram {
  return {
    name: 'slipway_database_commit_seconds',
    help: 'How long transactions took until they were on disk.',
    labels: [],
    series: () => [{ values: [], snapshot: database.commitTimes() }],
  };
}
