// Rules for tests whose repositories may be at any address: on any host, and at any path of this machine.
import { TRUSTED } from '../../../src/kit/network/reach.ts';
import type { MaterialRules } from '../../../src/materials/clients/client.ts';

export const ALLOW_ALL_ADDRESSES: MaterialRules = { networkPolicy: TRUSTED, localFolders: ['/'] };
