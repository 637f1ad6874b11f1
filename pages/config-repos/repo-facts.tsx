// How a config repo is configured, in short.
import { Fact, Facts } from '../kit/facts.tsx';
import { addressIn, type ConfigRepo } from './config-repo.ts';

export function RepoFacts({ repo: { material, plugin_id: plugin } }: { readonly repo: ConfigRepo }) {
  return (
    <Facts>
      <Fact name="Repository">{addressIn(material)}</Fact>
      <Fact name="Plugin">{plugin}</Fact>
      <Fact name="New revisions">
        {material.attributes.auto_update === false ? 'only when a user or a webhook asks' : 'found by polling'}
      </Fact>
    </Facts>
  );
}
