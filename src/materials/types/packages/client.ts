// Polls packages for new versions, through the plugin of their repository.
import type { PackagePlugin, PackageRevision } from '../../../contracts/plugins/package-repository.ts';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import { type MaterialClient, MaterialProblem, type NewModification, type PolledMaterial } from '../../clients/client.ts';

export interface PackageMaterial extends PolledMaterial {
  readonly type: 'package';
  readonly pluginId: string;
  readonly repository: SettingValues;
  readonly package: SettingValues;
}

/** At most one modification a poll: versions in between were never seen. */
export function packageClient(findPlugin: (id: string) => PackagePlugin | undefined): MaterialClient<PackageMaterial> {
  const pluginOf = ({ pluginId }: PackageMaterial) => {
    const plugin = findPlugin(pluginId);
    if (!plugin) throw new MaterialProblem(`Plugin with id '${pluginId}' is not found.`);
    return plugin;
  };
  return {
    async *poll(material, known, tools) {
      const plugin = pluginOf(material);
      const found = await (known ? plugin.latestRevisionSince(material, known, tools) : plugin.latestRevision(material, tools));
      if (found) yield [modificationOf(found)];
    },
    checkConnection: async (material, tools) => {
      const { isOk, messages } = await pluginOf(material).checkPackage(material, tools);
      if (!isOk) throw new MaterialProblem(messages.join('\n'));
    },
  };
}

function modificationOf({ revision, time, user, comment, trackbackUrl, data }: PackageRevision): NewModification {
  return {
    revision,
    userName: user ?? null,
    email: null,
    comment: JSON.stringify({ TYPE: 'PACKAGE_MATERIAL', TRACKBACK_URL: trackbackUrl ?? null, COMMENT: comment ?? null }),
    modifiedTime: time,
    files: [],
    ...(Object.keys(data).length > 0 && { additionalData: JSON.stringify(data) }),
  };
}
