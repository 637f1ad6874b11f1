// The parts of the server that are needed to read the configuration of materials: parameters, secrets, plugins.
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { MaterialTools } from '../../materials/catalogue/identity.ts';
import type { PluginHost } from '../../plugins/host.ts';
import { resolved, resolvedText } from '../../resources/parts/resolved.ts';

export function materialTools(cipher: Cipher, plugins: PluginHost): MaterialTools {
  return {
    resolved,
    resolvedText,
    open: ({ cipherText }) => cipher.decrypt(cipherText) ?? '',
    clearValues: (properties) => plugins.clearValues(properties),
    isPartOfIdentity: (pluginId, block, key) => plugins.isPartOfIdentity(pluginId, block, key),
  };
}
