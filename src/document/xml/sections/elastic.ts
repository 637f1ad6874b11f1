// Agents that are made on demand.
import { optional, required } from '../form/attributes.ts';
import { wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { NAME, WHOLE } from '../form/values.ts';
import { properties } from './properties.ts';

const MINUTES_UNTIL_STARVED = 2;

export const agentProfile = element('agentProfile', [
  required('id', 'id', NAME),
  required('clusterProfileId', 'cluster_profile_id'),
  properties('properties'),
]);

export const clusterProfile = element('clusterProfile', [
  required('id', 'id', NAME),
  required('pluginId', 'plugin_id'),
  properties('properties'),
]);

/** Part of the identity of the server. */
const starvation = optional('jobStarvationTimeout', 'job_starvation_timeout', { type: WHOLE, absent: MINUTES_UNTIL_STARVED });

/** Without the profiles. */
export const elasticHead = element('elastic', [starvation]);

export const elastic = wrap(elasticHead.name, [
  starvation,
  wrap('agentProfiles', [entities('elasticProfiles', agentProfile)]),
  wrap('clusterProfiles', [entities('clusterProfiles', clusterProfile)]),
]);
