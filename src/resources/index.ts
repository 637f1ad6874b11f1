// The registry: every kind of configuration this server keeps.
import type { Registry } from '../shape/resource.ts';
import { artifactStores } from './artifact-stores.ts';
import { authConfigs } from './auth-configs.ts';
import { environments } from './environments.ts';
import { mailServer } from './mail-server.ts';
import { pipelineGroups } from './pipeline-groups.ts';
import { roles } from './roles.ts';
import { systemAdmins } from './system-admins.ts';

export const registry = { artifactStores, authConfigs, environments, mailServer, pipelineGroups, roles, systemAdmins } satisfies Registry;
