// Rules for tests whose repositories may be on this machine, wherever they are.
import { TRUSTED } from '../../src/kit/network/reach.ts';
import type { MaterialRules } from '../../src/materials/clients/client.ts';

export const ANYWHERE: MaterialRules = { networkPolicy: TRUSTED, localFolders: ['/'] };
