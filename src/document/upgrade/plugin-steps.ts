// The steps that change elements with plugins: elastic profiles and configuration repositories.
import type { XmlElement } from '../../kit/xml/tree.ts';
import { at, childMade, childrenOf, element, renameChildren, takeChildren } from './tree.ts';

/** 101 */
export function moveElastic(root: XmlElement): undefined {
  for (const server of at(root, 'server')) {
    const moved = takeChildren(server, 'elastic');
    root.children.splice(root.children.indexOf(server) + 1, 0, ...moved);
  }
}

/** 115 */
export function dropNamesOfConfigRepoMaterials(root: XmlElement): undefined {
  for (const repo of at(root, 'config-repos', 'config-repo')) {
    for (const material of childrenOf(repo)) material.attributes.delete('materialName');
  }
}

/** 119 */
export function addClusterProfiles(root: XmlElement): undefined {
  for (const elastic of at(root, 'elastic')) {
    const clusters = new Map<string, XmlElement>();
    for (const profile of at(elastic, 'profiles', 'profile')) {
      const pluginId = profile.attributes.get('pluginId') ?? '';
      const id = `no-op-cluster-for-${pluginId}`;
      profile.attributes.set('clusterProfileId', id);
      if (!clusters.has(id)) clusters.set(id, element('clusterProfile', profile, { id, pluginId }));
    }
    if (clusters.size > 0) childMade(elastic, 'clusterProfiles').children.push(...clusters.values());
  }
}

/** 120 */
export function renameElasticProfiles(root: XmlElement): undefined {
  for (const elastic of at(root, 'elastic')) {
    for (const profiles of childrenOf(elastic, 'profiles')) renameChildren(profiles, 'profile', 'agentProfile');
    renameChildren(elastic, 'profiles', 'agentProfiles');
  }
}

/** 122: the plugin is that of the cluster. */
export function dropPluginsOfAgentProfiles(root: XmlElement): undefined {
  for (const { attributes } of at(root, 'elastic', 'agentProfiles', 'agentProfile')) attributes.delete('pluginId');
}

/** 136: without rules nothing may be referred to, and everything could before there were rules. */
export function addConfigRepoRules(root: XmlElement): undefined {
  for (const repo of at(root, 'config-repos', 'config-repo')) {
    if (childrenOf(repo, 'rules').length > 0) continue;
    repo.children.push(element('rules', repo, {}, [element('allow', repo, { action: 'refer', type: '*' }, ['*'])]));
  }
}
